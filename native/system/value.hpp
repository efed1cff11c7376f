// What goes between the core and its homes: the values of JSON, as a tree.
//
// The core answers with one of these, and each home converts it once: bindings/ to Python's dicts and
// lists, wasm/ to JSON text. What a home hands over comes the same way, and is read strictly: a reader
// says what it wants of a value, and what is something else is refused with a sentence.
//
//     Value answer = object({{"score", 3}, {"best_columns", columns}});
//     request.at("column").integer("column", 0, 6)
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bits.hpp"

namespace fourcast {

class Value {
  public:
    using Array = std::vector<Value>;
    using Member = std::pair<std::string, Value>;
    /// In the order in which they were written.
    using Object = std::vector<Member>;

    // Those that a compiler would write by itself are in value.cpp, so that they are compiled once.
    Value() = default;
    Value(const Value&);
    Value(Value&&) noexcept;
    Value& operator=(const Value&);
    Value& operator=(Value&&) noexcept;
    ~Value();
    Value(std::nullptr_t) {}
    Value(std::same_as<bool> auto truth) : data_(truth) {}
    template <std::integral Number>
        requires(!std::same_as<Number, bool>)
    Value(Number number) : data_(static_cast<long long>(number)) {}
    Value(double number) : data_(number) {}
    Value(std::string text);
    Value(std::string_view text);
    Value(const char* text);
    Value(Array values);
    Value(Object members);
    /// Sets of squares are strings of digits: JavaScript's numbers end at 53 bits.
    Value(u128 bits);
    template <class Each>
    Value(const std::optional<Each>& maybe) : Value(maybe ? Value(*maybe) : Value()) {}
    template <class First, class Second>
    Value(const std::pair<First, Second>& pair) : Value(Array{pair.first, pair.second}) {}
    template <class Each>
    Value(const std::vector<Each>& values) : Value(Array(values.begin(), values.end())) {}

    bool operator==(const Value&) const;

    bool is_null() const { return std::holds_alternative<std::nullptr_t>(data_); }
    /// The integer, text, array or object; nullptr if it is something else.
    const long long* whole() const { return std::get_if<long long>(&data_); }
    const std::string* text() const { return std::get_if<std::string>(&data_); }
    const Array* array() const { return std::get_if<Array>(&data_); }
    const Object* object() const { return std::get_if<Object>(&data_); }
    template <class Visitor>
    decltype(auto) visit(Visitor&& visitor) const {
        return std::visit(std::forward<Visitor>(visitor), data_);
    }

    // Strict readers. `what` names the value in the message of the OptionError that refuses others.
    bool truth(std::string_view what) const;
    long long integer(std::string_view what, long long low, long long high) const;
    /// An integer counts as a number.
    double number(std::string_view what) const;
    const std::string& text(std::string_view what) const;
    const Array& array(std::string_view what) const;
    const Object& object(std::string_view what) const;
    /// A set of squares: a string of digits, or an integer as older files have it.
    u128 squares(std::string_view what) const;
    /// A list of integers.
    std::vector<int> integers(std::string_view what, int low, int high) const;

    /// Whether an object has a member of this name, even if it is null.
    bool has(std::string_view name) const;
    /// The member of an object, null if there is none. Throws OptionError if this is no object.
    const Value& get(std::string_view name) const;
    /// The member of an object, which must be there.
    const Value& at(std::string_view name) const;

    /// Adds a member to an object, or an element to an array.
    void add(std::string name, Value value);
    void add(Value value);
    /// Adds the members of another object.
    void join(Value other);

    /// JSON without spaces.
    std::string json() const;
    /// Reads JSON, strictly. Throws InvalidNotationError, with the line, if it is none, or nested more
    /// than 64 levels.
    static Value from_json(std::string_view text);

  private:
    std::variant<std::nullptr_t, bool, long long, double, std::string, Array, Object> data_ = nullptr;
};

}  // namespace fourcast

// Compiled once as well, in value.cpp.
extern template class std::vector<fourcast::Value>;
extern template class std::vector<fourcast::Value::Member>;

namespace fourcast {

/// A value for a message: as Python's repr shows it, on one line, and cut if it is long.
std::string shown(const Value& value);

/// A T from its JSON; each type that can be read has a specialization beside it.
template <class T>
T from_value(const Value& json);

/// An object with these members.
Value object(std::initializer_list<Value::Member> members);

/// An array of what a function makes of each element.
template <class Range, class Function>
Value array_of(const Range& range, const Function& function) {
    Value::Array result;
    for (const auto& each : range) result.push_back(function(each));
    return result;
}

}  // namespace fourcast
