// What all values have in Python: equality, a hash, a repr, copies, JSON, and pickles that hold the
// JSON.
#pragma once

#include "convert.hpp"

namespace fourcast::bindings {

/// "Limit(time_s=0.5)": a value by those of its members that are not None.
std::string shown(const std::string& name, const Value& value);

/// What the class of T is called.
template <class T>
std::string class_name() {
    return utf8_of(nb::type<T>().attr("__name__"));
}

/// Adds equality with others of its class, a hash, a repr and copies.
template <class T, class... Base>
void add_identity(Class<T, Base...>& cls) {
    cls.def("__eq__",
            [](nb::handle self, nb::handle other) {
                if (!self.type().is(other.type()) || !nb::inst_ready(self) || !nb::inst_ready(other))
                    return nb::borrow(Py_NotImplemented);
                return nb::object(nb::bool_(*nb::inst_ptr<T>(self) == *nb::inst_ptr<T>(other)));
            })
        .def("__hash__",
             [](const T& self) {
                 if constexpr (requires { self.hash(); })
                     return self.hash();
                 else
                     return std::hash<std::string>{}(to_value(self).json());
             })
        .def("__repr__",
             [](const T& self) {
                 if constexpr (requires { self.repr(); })
                     return self.repr();
                 else
                     return shown(class_name<T>(), to_value(self));
             })
        .def("__copy__", [](nb::handle self) { return nb::borrow(self); })
        .def("__deepcopy__", [](nb::handle self, nb::handle) { return nb::borrow(self); });
}

/// Adds that and JSON, by `to_value` and `from_value`, which are each other's reverse.
template <class T, class... Base>
void add_value(Class<T, Base...>& cls) {
    constexpr auto from_json = [](nb::handle json) {
        constexpr bool is_list = requires { T::is_list; };
        if (is_list ? !PyList_Check(json.ptr()) : !PyDict_Check(json.ptr()))
            wrong_type(text(class_name<T>(), " in JSON"), is_list ? "a list" : "a dict", json);
        return from_value<T>(value_from(json));
    };
    add_identity(cls);
    cls.def("to_json", [](const T& self) { return value_to(to_value(self)); })
        .def("__getstate__", [](const T& self) { return value_to(to_value(self)); })
        .def_static("from_json", from_json)
        .set_state(from_json);
}

}  // namespace fourcast::bindings
