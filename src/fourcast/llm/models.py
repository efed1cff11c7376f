"""Models: functions of Python, and servers with OpenAI's interface for chats over HTTP."""

from __future__ import annotations

import base64
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from fourcast.arena.contestant import check_time
from fourcast.errors import FourcastError, OptionError, missing_extra, require
from fourcast.notation import quote

__all__ = ["Ask", "CallableModel", "HttpModel", "Message", "Model", "ModelError", "Reply", "to_model"]

MAX_BYTES = 4_000_000
"""Bytes of an answer of a server that are read."""
TRIES = 5
"""How often a server is asked that is busy or fails."""
MOST_WAIT_S = 60.0
BUSY = (408, 409, 425, 429, 500, 502, 503, 504, 529)


class ModelError(FourcastError):
    """A model that could not be asked; `kind` is `error` or `time`."""

    def __init__(self, message: str, kind: str = "error") -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True)
class Message:
    """A turn of a conversation; *picture* is a PNG."""

    role: str
    text: str
    picture: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Reply:
    """What a model has answered, and what it took."""

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    time_s: float = 0.0


class Model(Protocol):
    """A model that can be asked."""

    @property
    def name(self) -> str:
        """What it is called in tables."""

    def ask(self, messages: Sequence[Message]) -> Reply:
        """Return the answer to a conversation. Raises `ModelError`."""


Ask = Model | Callable[[str], str]
"""A model, or a function of the prompt that returns what the model would write."""


class CallableModel:
    """A function as a model: given the prompt, and below it what was said about earlier answers."""

    def __init__(self, function: Callable[[str], str]) -> None:
        self._function = function
        name = getattr(function, "name", None) or getattr(function, "__name__", None)
        self.name = str(name or type(function).__name__)

    def ask(self, messages: Sequence[Message]) -> Reply:
        """Call the function; whatever it raises is an error of the model."""
        begin = time.monotonic()
        try:
            text = self._function("\n\n".join(each.text for each in messages if each.role == "user"))
        except TimeoutError as error:
            raise ModelError(f"TimeoutError: {error}", "time") from error
        except Exception as error:
            raise ModelError(f"{type(error).__name__}: {error}") from error
        if not isinstance(text, str):
            raise ModelError(f"the function returned {quote(text)}, not a text")
        return Reply(text, time_s=time.monotonic() - begin)


class HttpModel:
    """A model behind OpenAI's interface for chats, which most servers of models have.

    *url* is the address that ends in `/v1`; the key is read from the environment variable *key_env* if
    it is set. A server that is busy is asked again, after the time that it names.
    """

    def __init__(
        self,
        name: str,
        url: str,
        *,
        key_env: str = "OPENAI_API_KEY",
        max_tokens: int = 4096,
        temperature: float | None = 0.0,
        timeout_s: float = 120.0,
        pause_s: float = 1.0,
    ) -> None:
        try:
            import httpx
        except ImportError:
            raise missing_extra("models over HTTP need httpx", "llm") from None
        require("name", name, str)
        require("url", url, str)
        require("key_env", key_env, str)
        require("max_tokens", max_tokens, int)
        require("temperature", temperature, float, int, type(None))
        check_time("timeout_s", timeout_s)
        check_time("pause_s", pause_s, may_be_zero=True)
        if not url.startswith(("http://", "https://")):
            raise OptionError(
                f"the address of a server is such as http://localhost:8000/v1, not {quote(url)}"
            )
        self.name = name
        self._url = url.rstrip("/") + "/chat/completions"
        key = os.environ.get(key_env, "")
        self._client = httpx.Client(
            timeout=timeout_s, headers={"Authorization": f"Bearer {key}"} if key else {}
        )
        self._body: dict[str, Any] = {"model": name, "max_tokens": max_tokens}
        if temperature is not None:
            self._body["temperature"] = temperature
        self._pause_s = pause_s
        self._is_there = False  # whether the server has ever answered

    def ask(self, messages: Sequence[Message]) -> Reply:
        """Return the server's answer.

        Raises `ModelError` if there is none, and `OptionError` if nothing is at the address.
        """
        import httpx

        body = self._body | {"messages": [_to_json(message) for message in messages]}
        begin = time.monotonic()
        wait_s = self._pause_s
        for attempt in range(1, TRIES + 1):
            try:
                with self._client.stream("POST", self._url, json=body) as response:
                    content = _read(response)
            except httpx.TimeoutException:
                problem = ModelError("the server did not answer in time", "time")
            except httpx.HTTPError as error:
                if isinstance(error, httpx.ConnectError) and not self._is_there:
                    raise OptionError(f"no server can be reached at {self._url}: {error}") from None
                problem = ModelError(f"the server cannot be reached: {error}")
            else:
                self._is_there = True
                if response.status_code == 200:
                    return _reply(content, time.monotonic() - begin)
                said = content[:300].decode("utf-8", "replace")
                problem = ModelError(f"the server answered {response.status_code}: {said}")
                if response.status_code not in BUSY:
                    raise problem
                wait_s = _retry_after(response.headers.get("retry-after"), wait_s)
            if attempt == TRIES:
                raise problem
            time.sleep(min(wait_s, MOST_WAIT_S))
            wait_s *= 2
        raise AssertionError


def to_model(given: Ask) -> Model:
    """Return a model for a function, or the model itself."""
    if callable(getattr(given, "ask", None)):
        model: Any = given
        return model  # type: ignore[no-any-return]
    if callable(given):
        return CallableModel(given)
    raise TypeError(f"{quote(given)} is not a model: give a function of a prompt, or an HttpModel")


def _to_json(message: Message) -> dict[str, Any]:
    if message.picture is None:
        return {"role": message.role, "content": message.text}
    address = f"data:image/png;base64,{base64.b64encode(message.picture).decode()}"
    return {
        "role": message.role,
        "content": [
            {"type": "text", "text": message.text},
            {"type": "image_url", "image_url": {"url": address}},
        ],
    }


def _read(response: Any) -> bytes:
    content = b""
    for part in response.iter_bytes():
        content += part
        if len(content) > MAX_BYTES:
            raise ModelError(f"the server answered with more than {MAX_BYTES:,} bytes")
    return content


def _reply(content: bytes, time_s: float) -> Reply:
    import json

    try:
        answer = json.loads(content)
        message = answer["choices"][0]["message"]
        text = message.get("content") or message.get("refusal") or ""
        usage = answer.get("usage") or {}
        tokens = [int(usage.get(name) or 0) for name in ("prompt_tokens", "completion_tokens")]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise ModelError(f"the server's answer is not a chat completion: {content[:200]!r}") from None
    if not isinstance(text, str):
        raise ModelError(f"the server's answer has no text: {quote(text)}")
    return Reply(text, tokens[0], tokens[1], time_s)


def _retry_after(header: str | None, otherwise: float) -> float:
    try:
        wait_s = float(header or "nan")
    except ValueError:
        return otherwise
    return wait_s if 0 <= wait_s <= MOST_WAIT_S and math.isfinite(wait_s) else otherwise
