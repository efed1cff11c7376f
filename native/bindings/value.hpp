// What all values have in Python: equality, a hash, copies, JSON and pickles, which hold the JSON.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/operators.h>

#include <optional>
#include <string>

#include "convert.hpp"
#include "system/errors.hpp"
#include "system/text.hpp"

namespace fourcast::bindings {

/// The fields of a JSON object that Python has read. Unknown fields are ignored, missing ones refused.
class JsonObject {
  public:
    /// Raises TypeError if `object` is not a dict; `what` names the value in messages.
    JsonObject(nb::handle object, const char* what) : object_(object), what_(what) {
        if (!PyDict_Check(object.ptr())) wrong_type(text(what, " in JSON"), "a dict", object);
    }

    /// The field, or None if there is no such field.
    nb::object get(const char* key) const {
        PyObject* const value = PyDict_GetItemString(object_.ptr(), key);
        return value == nullptr ? nb::none() : nb::borrow(value);
    }
    bool has(const char* key) const { return !get(key).is_none(); }
    nb::object require(const char* key) const {
        nb::object value = get(key);
        if (value.is_none()) throw OptionError("error.json_missing", {{"what", what_}, {"key", key}});
        return value;
    }
    /// Raises ValueError if a field that follows from the others is there and says something else.
    void agree(const char* key, nb::handle value) const {
        const nb::object given = get(key);
        if (!given.is_none() && !given.equal(value))
            throw OptionError("error.json_contradiction", {{"what", what_}, {"key", key}});
    }

  private:
    nb::handle object_;
    const char* what_;
};

/// Adds to the class of T what every value has. `to_json` and `from_json` are each other's reverse;
/// `json_type` is the Python type of what the one gives and the other takes.
template <class T, class ToJson, class FromJson>
void add_value(nb::class_<T>& cls, const char* json_type, ToJson to_json, FromJson from_json) {
    using namespace nb::literals;
    const auto name = nb::cast<std::string>(cls.attr("__name__"));
    cls.def(
           "__eq__", [](const T& self, const T& other) { return self == other; }, nb::is_operator(),
           nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def(
            "__copy__", [](nb::handle self) { return nb::borrow(self); },
            nb::sig(text("def __copy__(self) -> ", name).c_str()))
        .def(
            "__deepcopy__", [](nb::handle self, nb::handle) { return nb::borrow(self); },
            nb::arg("memo").none(),
            nb::sig(text("def __deepcopy__(self, memo: object) -> ", name).c_str()))
        .def("to_json", to_json, nb::sig(text("def to_json(self) -> ", json_type).c_str()),
             "Return the value as JSON types; `from_json` reads it back.")
        .def_static(
            "from_json", from_json, given("value"),
            nb::sig(text("def from_json(value: ", json_type, ") -> ", name).c_str()),
            "Return the value that `to_json` gave. Raises TypeError or ValueError if it is none.")
        .def("__getstate__", to_json, nb::sig(text("def __getstate__(self) -> ", json_type).c_str()))
        // A pickle may be damaged: what is in it is checked like any other JSON.
        .def(
            "__setstate__", [from_json](T* self, nb::handle state) { new (self) T(from_json(state)); },
            nb::arg("state").none(),
            nb::sig(text("def __setstate__(self, state: ", json_type, ") -> None").c_str()));
}

constexpr const char* json_object_type = "dict[str, typing.Any]";

}  // namespace fourcast::bindings
