"""Logs as JSON lines: one object per line, with the fields of `extra`. They contain no secrets.

Warnings and errors can be provoked from outside, so each kind is logged once a second at most.
"""

from __future__ import annotations

import json
import logging
import math
import os
import select
import time
from datetime import datetime, timezone
from typing import Any

from cachetools import LRUCache
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fourcast.web.server.addresses import client_address
from fourcast.web.server.metrics import Metrics

__all__ = ["LOGGING", "AccessLog", "JsonLines", "Lines", "Rarely", "log"]

TOO_MANY = 429
_OWN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}


class Rarely(logging.Filter):
    """Lets one warning of each kind through per second; `times` is how often it happened since the last.

    A kind is a message before its arguments are filled in.
    """

    INTERVAL_S = 1.0

    def __init__(self) -> None:
        super().__init__()
        self._kinds: LRUCache[str, tuple[float, int]] = LRUCache(1_000)

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is to be written."""
        if record.levelno < logging.WARNING:
            return True
        kind = str(record.msg)
        now_s = time.monotonic()
        last_s, times = self._kinds.get(kind, (-math.inf, 0))
        is_due = now_s - last_s >= self.INTERVAL_S
        self._kinds[kind] = (now_s, 0) if is_due else (last_s, times + 1)
        if is_due:
            record.times = times + 1
        return is_due


access = logging.getLogger("fourcast.web.access")
log = logging.getLogger("fourcast.web")
log.addFilter(Rarely())


_encode = json.JSONEncoder(default=str).encode


class JsonLines(logging.Formatter):
    """One JSON object for each record."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        moment = datetime.fromtimestamp(record.created, timezone.utc)
        line: dict[str, Any] = {
            "time": moment.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {key: value for key, value in vars(record).items() if key not in _OWN}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return _encode(line)


class Lines(logging.Handler):
    """Writes to standard error, and drops what would have to wait: an unread log stops nothing."""

    AT_ONCE = 4_096
    """Bytes that a pipe takes without waiting if it takes any."""

    def __init__(self) -> None:
        super().__init__()
        self._lost = 0
        # Windows has no such question for pipes.
        self._ready = select.poll() if hasattr(select, "poll") else None
        if self._ready:
            self._ready.register(2, select.POLLOUT)

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, after the number of those that were lost before it."""
        if self._lost:
            lost, self._lost = self._lost, 0
            text = "lines of this log were lost: nobody was reading it"
            said = {"levelname": "WARNING", "msg": text, "args": (), "exc_info": None, "lines": lost}
            if not self._write(logging.makeLogRecord(vars(record) | said)):
                self._lost = lost
        self._lost += not self._write(record)

    def _write(self, record: logging.LogRecord) -> bool:
        try:
            line = self.format(record).encode() + b"\n"
            for begin in range(0, len(line), self.AT_ONCE):
                if self._ready and not self._ready.poll(0):
                    return False
                os.write(2, line[begin : begin + self.AT_ONCE])
        except (OSError, ValueError):  # nobody will ever read it
            return False
        return True


LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": JsonLines}},
    "filters": {"rarely": {"()": Rarely}},
    "handlers": {"lines": {"()": Lines, "formatter": "json"}},
    "loggers": {
        name: {"handlers": ["lines"], "level": level, "propagate": False, "filters": filters}
        for name, level, filters in (
            ("fourcast", "INFO", []),
            ("uvicorn", "INFO", []),
            ("uvicorn.error", "WARNING", ["rarely"]),
        )
    },
}
"""For `logging.config` and uvicorn: everything goes to standard error."""


class AccessLog:
    """Middleware: a line for each request, with its time. The query is left out, it may be long."""

    def __init__(self, app: ASGIApp, *, trust_proxy: bool, metrics: Metrics) -> None:
        self._app = app
        self._trust_proxy = trust_proxy
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request and write down how it went."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begin_s = time.perf_counter()
        status = 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            seconds = time.perf_counter() - begin_s
            self._metrics.request(status, seconds)
            address = client_address(scope, trust_proxy=self._trust_proxy)
            if status == TOO_MANY:  # there may be any number of them
                text = "requests were refused: an address sends too many"
                log.warning(text, extra={"address": address})
            else:
                access.info(
                    "request",
                    extra={
                        "method": scope["method"],
                        "path": scope["path"][:200],
                        "status": status,
                        "ms": round(seconds * 1000, 1),
                        "address": address,
                    },
                )
