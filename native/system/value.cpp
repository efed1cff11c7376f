#include "value.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "errors.hpp"
#include "text.hpp"

template class std::vector<fourcast::Value>;
template class std::vector<fourcast::Value::Member>;

namespace fourcast {
namespace {

[[noreturn]] void refuse(std::string_view what, const char* code, const Value& value,
                         Value::Object facts = {}) {
    facts.insert(facts.end(), {{"what", what}, {"given", shown(value)}});
    throw OptionError(code, std::move(facts));
}

void write(std::string& out, std::string_view text) {
    out += '"';
    for (const char character : text) {
        const auto code = static_cast<unsigned char>(character);
        if (character == '"' || character == '\\') out += '\\';
        if (code >= 0x20) {
            out += character;
        } else {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", code);
            out += escape;
        }
    }
    out += '"';
}

void write(std::string& out, const Value& value);

struct Writer {
    std::string& out;

    void operator()(std::nullptr_t) const { out += "null"; }
    void operator()(bool truth) const { out += truth ? "true" : "false"; }
    void operator()(long long number) const { out += std::to_string(number); }
    void operator()(double number) const {
        if (!std::isfinite(number)) return (*this)(nullptr);
        out += shortest(number);
    }
    void operator()(const std::string& text) const { write(out, std::string_view(text)); }
    void operator()(const Value::Array& values) const {
        out += '[';
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i != 0) out += ',';
            write(out, values[i]);
        }
        out += ']';
    }
    void operator()(const Value::Object& members) const {
        out += '{';
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (i != 0) out += ',';
            write(out, std::string_view(members[i].first));
            out += ':';
            write(out, members[i].second);
        }
        out += '}';
    }
};

void write(std::string& out, const Value& value) { value.visit(Writer{out}); }

/// Writes what Python's repr would, and no more than a message needs.
struct Shower {
    static constexpr std::size_t enough = quote_limit + 1;
    std::u32string& out;

    void put(std::string_view text) const { out += utf32(text); }
    void operator()(std::nullptr_t) const { put("None"); }
    void operator()(bool truth) const { put(truth ? "True" : "False"); }
    void operator()(long long number) const { put(std::to_string(number)); }
    void operator()(double number) const {
        const std::string digits = shortest(number);
        put(digits);
        if (digits.find_first_not_of("-0123456789") == std::string::npos) put(".0");
    }
    void operator()(const std::string& text) const { put(quoted(utf32(text))); }
    void operator()(const Value::Array& values) const {
        put("[");
        for (std::size_t i = 0; i < values.size() && out.size() < enough; ++i) {
            if (i != 0) put(", ");
            values[i].visit(*this);
        }
        put("]");
    }
    void operator()(const Value::Object& members) const {
        put("{");
        for (std::size_t i = 0; i < members.size() && out.size() < enough; ++i) {
            if (i != 0) put(", ");
            (*this)(members[i].first);
            put(": ");
            members[i].second.visit(*this);
        }
        put("}");
    }
};

/// Reads one JSON text from its beginning to its end.
class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    Value whole() {
        Value value = read(0);
        skip_spaces();
        if (at_ != text_.size()) fail();
        return value;
    }

  private:
    static constexpr int deepest = 64;

    [[noreturn]] void fail() const {
        const std::string_view before = text_.substr(0, at_);
        throw InvalidNotationError("error.not_json",
                                   {{"line", 1 + std::count(before.begin(), before.end(), '\n')},
                                    {"place", at_ - before.rfind('\n')}});
    }
    void skip_spaces() {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string::npos)
            ++at_;
    }
    bool take(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }
    void expect(std::string_view word) {
        skip_spaces();
        if (!take(word)) fail();
    }

    Value read(int depth) {
        skip_spaces();
        if (at_ == text_.size() || depth > deepest) fail();
        if (take("null")) return nullptr;
        if (take("true")) return true;
        if (take("false")) return false;
        switch (text_[at_]) {
            case '"':
                return string();
            case '[':
                return array(depth);
            case '{':
                return object(depth);
            default:
                return number();
        }
    }
    /// Reads what is between brackets, with commas between.
    void list(std::string_view end, const auto& read_one) {
        ++at_;
        skip_spaces();
        if (take(end)) return;
        for (;;) {
            skip_spaces();
            read_one();
            skip_spaces();
            if (take(end)) return;
            expect(",");
        }
    }
    Value array(int depth) {
        Value::Array values;
        list("]", [&] { values.push_back(read(depth + 1)); });
        return values;
    }
    Value object(int depth) {
        Value::Object members;
        list("}", [&] {
            if (at_ == text_.size() || text_[at_] != '"') fail();
            std::string name = string();
            for (const auto& [known, value] : members)
                if (known == name)
                    throw InvalidNotationError("error.json_twice", {{"key", quoted(utf32(name))}});
            expect(":");
            members.emplace_back(std::move(name), read(depth + 1));
        });
        return members;
    }
    Value number() {
        std::size_t end = at_;
        while (end < text_.size() &&
               std::string_view("+-.0123456789eE").find(text_[end]) != std::string::npos)
            ++end;
        const std::string_view digits = text_.substr(at_, end - at_);
        const std::string_view unsigned_digits = digits.substr(digits.starts_with('-') ? 1 : 0);
        if (unsigned_digits.empty()) fail();
        const bool starts_well = unsigned_digits[0] >= '0' && unsigned_digits[0] <= '9' &&
                                 (unsigned_digits[0] != '0' || unsigned_digits.size() == 1 ||
                                  unsigned_digits[1] < '0' || unsigned_digits[1] > '9');
        const auto dot = digits.find('.');
        const bool ends_well =
            digits.back() >= '0' && digits.back() <= '9' &&
            (dot == std::string_view::npos || (digits[dot + 1] >= '0' && digits[dot + 1] <= '9'));
        if (!starts_well || !ends_well || digits.size() > 40) fail();
        const char* const last = digits.data() + digits.size();
        long long whole = 0;
        if (const auto read = std::from_chars(digits.data(), last, whole);
            read.ec == std::errc() && read.ptr == last) {
            at_ = end;
            return whole;
        }
        const std::string copy(digits);
        char* stopped = nullptr;
        const double number = std::strtod(copy.c_str(), &stopped);
        if (stopped != copy.c_str() + copy.size() || !std::isfinite(number)) fail();
        at_ = end;
        return number;
    }
    std::string string() {
        std::string result;
        ++at_;
        for (;;) {
            if (at_ == text_.size() || static_cast<unsigned char>(text_[at_]) < 0x20) fail();
            const char character = text_[at_++];
            if (character == '"') return result;
            if (character == '\\')
                result += escape();
            else
                result += character;
        }
    }
    std::string escape() {
        static constexpr std::string_view names = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
        if (at_ == text_.size()) fail();
        const char name = text_[at_++];
        if (const auto index = names.find(name); index != std::string_view::npos)
            return {meanings[index]};
        if (name != 'u') fail();
        char32_t code = hex();
        if (code >= 0xD800 && code < 0xDC00) {  // half of a character
            if (!take("\\u")) fail();
            const char32_t low = hex();
            if (low < 0xDC00 || low > 0xDFFF) fail();
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        } else if (code >= 0xDC00 && code <= 0xDFFF) {
            fail();
        }
        return utf8({&code, 1});
    }
    char32_t hex() {
        char32_t code = 0;
        for (int i = 0; i < 4; ++i) {
            if (at_ == text_.size()) fail();
            static constexpr std::string_view digits = "0123456789abcdef";
            const char lower = static_cast<char>(text_[at_] | 0x20);
            const auto digit = digits.find(text_[at_] >= '0' && text_[at_] <= '9' ? text_[at_] : lower);
            if (digit == std::string_view::npos) fail();
            code = code * 16 + static_cast<char32_t>(digit);
            ++at_;
        }
        return code;
    }
    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;
bool Value::operator==(const Value&) const = default;

Value::Value(std::string text) : data_(std::move(text)) {}
Value::Value(std::string_view text) : data_(std::string(text)) {}
Value::Value(const char* text) : data_(std::string(text)) {}
Value::Value(Array values) : data_(std::move(values)) {}
Value::Value(Object members) : data_(std::move(members)) {}
Value::Value(u128 bits) : data_(decimal(bits)) {}

bool Value::truth(std::string_view what) const {
    if (const bool* const found = std::get_if<bool>(&data_)) return *found;
    refuse(what, "error.not_truth", *this);
}

long long Value::integer(std::string_view what, long long low, long long high) const {
    const auto* const found = std::get_if<long long>(&data_);
    if (found == nullptr) refuse(what, "error.not_integer", *this);
    if (*found < low || *found > high)
        refuse(what, "error.out_of_range", *this, {{"low", low}, {"high", high}});
    return *found;
}

double Value::number(std::string_view what) const {
    if (const auto* const whole = std::get_if<long long>(&data_)) return static_cast<double>(*whole);
    if (const auto* const found = std::get_if<double>(&data_)) return *found;
    refuse(what, "error.not_number", *this);
}

const std::string& Value::text(std::string_view what) const {
    if (const auto* const found = text()) return *found;
    refuse(what, "error.not_text", *this);
}

const Value::Array& Value::array(std::string_view what) const {
    if (const auto* const found = array()) return *found;
    refuse(what, "error.not_list", *this);
}

const Value::Object& Value::object(std::string_view what) const {
    if (const auto* const found = object()) return *found;
    refuse(what, "error.not_object", *this);
}

u128 Value::squares(std::string_view what) const {
    const auto* const number = std::get_if<long long>(&data_);
    const std::string digits = number != nullptr ? std::to_string(*number) : text() ? *text() : "";
    constexpr u128 most = ~u128{0};
    u128 bits = 0;
    for (const char each : digits) {
        const auto digit = static_cast<u128>(each - '0');
        if (each < '0' || each > '9' || bits > (most - digit) / 10)
            refuse(what, "error.not_squares", *this);
        bits = bits * 10 + digit;
    }
    if (digits.empty()) refuse(what, "error.not_squares", *this);
    return bits;
}

std::vector<int> Value::integers(std::string_view what, int low, int high) const {
    std::vector<int> result;
    for (const Value& each : array(what))
        result.push_back(static_cast<int>(each.integer(what, low, high)));
    return result;
}

bool Value::has(std::string_view name) const {
    const Object* const members = object();
    return members != nullptr && std::any_of(members->begin(), members->end(),
                                             [name](const Member& each) { return each.first == name; });
}

const Value& Value::get(std::string_view name) const {
    static const Value nothing;
    for (const auto& [known, value] : object(fourcast::text("what has a '", name, "'")))
        if (known == name) return value;
    return nothing;
}

const Value& Value::at(std::string_view name) const {
    const Value& found = get(name);
    if (found.is_null()) throw OptionError("error.value_missing", {{"name", name}});
    return found;
}

void Value::add(std::string name, Value value) {
    if (is_null()) data_ = Object{};
    std::get<Object>(data_).emplace_back(std::move(name), std::move(value));
}

void Value::add(Value value) {
    if (is_null()) data_ = Array{};
    std::get<Array>(data_).push_back(std::move(value));
}

void Value::join(Value other) {
    for (auto& [name, value] : std::get<Object>(other.data_)) add(std::move(name), std::move(value));
}

std::string shown(const Value& value) {
    if (const std::string* const text = value.text()) return quoted(utf32(*text));
    constexpr std::size_t kept = 50;
    std::u32string result;
    value.visit(Shower{result});
    return utf8(result.size() > quote_limit ? result.substr(0, kept) + U"..." : result);
}

std::string Value::json() const {
    std::string result;
    write(result, *this);
    return result;
}

Value Value::from_json(std::string_view text) { return Reader(text).whole(); }

Value object(std::initializer_list<Value::Member> members) { return Value::Object(members); }

}  // namespace fourcast
