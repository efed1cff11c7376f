// Writes JSON: values one after the other, with the commas between them.
//
//     Json json;
//     json.object([&] { json.member("score", 3).member("best_columns", std::vector{2, 4}); });
//     json.text()  // {"score":3,"best_columns":[2,4]}
#pragma once

#include <concepts>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "system/text.hpp"
#include "system/value.hpp"

namespace fourcast::wasm {

class Json {
  public:
    const std::string& text() const { return text_; }

    template <class Content>
        requires std::invocable<Content>
    Json& object(const Content& content) {
        return enclosed('{', content, '}');
    }
    template <class Content>
        requires std::invocable<Content>
    Json& array(const Content& content) {
        return enclosed('[', content, ']');
    }
    /// A member of the object that is being written; a function writes its value itself.
    template <class Value>
    Json& member(const char* name, const Value& value_or_function) {
        value(std::string_view(name));
        text_ += ':';
        is_first_ = true;
        if constexpr (std::invocable<Value>)
            value_or_function();
        else
            value(value_or_function);
        return *this;
    }

    /// The members of an object of the core.
    Json& members(const Value& object) {
        for (const auto& [name, value] : *object.object())
            member(name.c_str(), [&] { raw(value.json()); });
        return *this;
    }

    /// A value that is JSON already.
    Json& raw(std::string_view json) { return written(json); }
    Json& value(std::nullptr_t) { return written("null"); }
    Json& value(bool truth) { return written(truth ? "true" : "false"); }
    Json& value(std::integral auto number) { return written(std::to_string(number)); }
    Json& value(u128 number) { return written(decimal(number)); }
    Json& value(double number) {
        char digits[32];
        std::snprintf(digits, sizeof digits, "%.17g", number);
        return written(digits);
    }
    Json& value(const char* text) { return value(std::string_view(text)); }
    Json& value(std::string_view text) {
        separate();
        text_ += '"';
        for (const char character : text) put(character);
        text_ += '"';
        return *this;
    }
    template <class Value>
    Json& value(const std::optional<Value>& maybe) {
        return maybe ? value(*maybe) : value(nullptr);
    }
    template <class First, class Second>
    Json& value(const std::pair<First, Second>& pair) {
        return array([&] { value(pair.first).value(pair.second); });
    }
    template <class Value>
    Json& value(const std::vector<Value>& values) {
        return array([&] {
            for (const Value& each : values) value(each);
        });
    }

  private:
    template <class Content>
    Json& enclosed(char opening, const Content& content, char closing) {
        separate();
        text_ += opening;
        is_first_ = true;
        content();
        is_first_ = false;
        text_ += closing;
        return *this;
    }
    Json& written(std::string_view text) {
        separate();
        text_ += text;
        return *this;
    }
    void separate() {
        if (!std::exchange(is_first_, false)) text_ += ',';
    }
    void put(char character) {
        const auto code = static_cast<unsigned char>(character);
        if (character == '"' || character == '\\') text_ += '\\';
        if (code >= 0x20) {
            text_ += character;
        } else {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", code);
            text_ += escape;
        }
    }

    std::string text_;
    bool is_first_ = true;
};

}  // namespace fourcast::wasm
