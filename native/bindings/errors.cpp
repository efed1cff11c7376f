#include "errors.hpp"

#include "ask.hpp"
#include "interpreter.hpp"

namespace fourcast::bindings {

nb::object to_python(const Error& error, nb::handle column) {
    nb::dict data = nb::cast<nb::dict>(value_to(error.data()));
    data["facts"] = value_to(error.facts());
    if (column.is_valid()) data["column"] = column;
    return nb::module_::import_("fourcast.errors").attr(error.name())(error.what(), **data);
}

void raise(nb::handle error) {
    PyErr_SetObject(error.type().ptr(), error.ptr());
    throw nb::python_error();
}

void raise(PyObject* type, const std::string& words) {
    PyErr_SetString(type, words.c_str());
    throw nb::python_error();
}

void raise_caught() noexcept {
    try {
        try {
            throw;
        } catch (const Error& error) {
            // Python code runs here, on a thread that the interpreter may be about to end.
            raise(run_python([&] { return to_python(error); }));
        } catch (const std::bad_cast&) {
            raise(PyExc_TypeError, "an object has a method that returns something of a wrong type");
        } catch (const std::bad_alloc&) {
            PyErr_NoMemory();
        }
    } catch (nb::python_error& error) {  // or of a signal's handler, say
        error.restore();
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    }
}

void translate_errors() {
    nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
        try {
            std::rethrow_exception(pointer);
        } catch (const Error&) {
            raise_caught();
        }
    });
}

}  // namespace fourcast::bindings
