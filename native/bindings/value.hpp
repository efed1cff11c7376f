// What all values have in Python: equality, a hash, a repr, copies, JSON, and pickles that hold the
// JSON.
#pragma once

#include <nanobind/stl/string.h>

#include "ask.hpp"
#include "convert.hpp"

namespace fourcast::bindings {

/// "Limit(time_s=0.5)": a value by those of its members that are not None.
std::string shown(const std::string& name, const Value& value);

/// Adds to the class of T what every value has, by `to_value` and `from_value`, which are each other's
/// reverse. `hash` and `repr` are those of T, if it has them.
template <class T>
void add_value(Class<T>& cls, const char* json_type = "dict[str, typing.Any]") {
    static const auto name = nb::cast<std::string>(cls.attr("__name__"));
    const auto to_json = [](const T& self) { return value_to(to_value(self)); };
    const bool is_list = std::string_view(json_type).starts_with("list");
    const auto from_json = [is_list](nb::handle json) {
        if (is_list ? !PyList_Check(json.ptr()) : !PyDict_Check(json.ptr()))
            wrong_type(name + " in JSON", is_list ? "a list" : "a dict", json);
        return from_value<T>(value_from(json));
    };
    nb::class_<T>& plain = cls;
    plain
        .def(
            "__eq__", [](const T& self, const T& other) { return self == other; }, nb::is_operator(),
            nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def(
            "__copy__", [](nb::handle self) { return nb::borrow(self); },
            nb::sig(text("def __copy__(self) -> ", name).c_str()))
        .def(
            "__deepcopy__", [](nb::handle self, nb::handle) { return nb::borrow(self); },
            "memo"_a.none(), nb::sig(text("def __deepcopy__(self, memo: object) -> ", name).c_str()))
        .def("to_json", to_json, nb::sig(text("def to_json(self) -> ", json_type).c_str()),
             "Return the value as JSON types; `from_json` reads it back.")
        .def_static("from_json", from_json, "value"_a.none(),
                    nb::sig(text("def from_json(value: ", json_type, ") -> ", name).c_str()),
                    "Return the value that `to_json` gave. Raises TypeError or ValueError for others.")
        .def("__getstate__", to_json, nb::sig(text("def __getstate__(self) -> ", json_type).c_str()))
        // A pickle may be damaged: what is in it is checked like any other JSON.
        .def(
            "__setstate__", [from_json](T* self, nb::handle state) { new (self) T(from_json(state)); },
            "state"_a.none(),
            nb::sig(text("def __setstate__(self, state: ", json_type, ") -> None").c_str()));
    if constexpr (requires(const T& value) { value.hash(); })
        plain.def("__hash__", &T::hash);
    else
        plain.def("__hash__",
                  [](const T& self) { return std::hash<std::string>{}(to_value(self).json()); });
    plain.def("__repr__", [](const T& self) {
        if constexpr (requires { self.repr(); })
            return self.repr();
        else
            return shown(name, to_value(self));
    });
}

}  // namespace fourcast::bindings
