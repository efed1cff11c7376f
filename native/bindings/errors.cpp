#include "errors.hpp"

#include <cstring>

namespace fourcast::bindings {
namespace {

const char* word_of(Refusal reason) {
    switch (reason) {
        case Refusal::full:
            return "full";
        case Refusal::off_the_board:
            return "off the board";
        case Refusal::finished:
            return "finished";
    }
    return "";
}

nb::dict move_data(nb::handle column, Refusal reason, int ply) {
    nb::dict data;
    data["column"] = column;
    data["reason"] = word_of(reason);
    data["ply"] = ply;
    return data;
}

// What an error knows besides its message, as the keyword arguments of its Python class.

nb::dict data_of(const std::exception&) { return {}; }

nb::dict data_of(const IllegalMoveError& error) {
    return move_data(nb::int_(error.column), error.reason, error.ply);
}

nb::dict data_of(const InvalidPositionError& error) {
    nb::dict data;
    if (error.square) data["square"] = nb::make_tuple(error.square->column, error.square->row);
    return data;
}

nb::object make(nb::handle python_class, const char* message, const nb::dict& data) {
    // A message may quote the name of a file, which need not be UTF-8.
    const auto size = static_cast<Py_ssize_t>(std::strlen(message));
    const nb::object words = nb::steal(PyUnicode_DecodeUTF8(message, size, "backslashreplace"));
    if (!words.is_valid()) throw nb::python_error();
    return python_class(words, **data);
}

nb::object python_class(const char* name) { return nb::module_::import_("fourcast.errors").attr(name); }

/// Makes the C++ error `Error` the class of that name in fourcast.errors.
template <class Error>
void translate(const char* name) {
    // The class is kept for good: an error may be translated until the interpreter ends.
    nb::register_exception_translator(
        [](const std::exception_ptr& pointer, void* payload) {
            try {
                std::rethrow_exception(pointer);
            } catch (const Error& error) {
                const nb::handle to_raise(static_cast<PyObject*>(payload));
                PyErr_SetObject(to_raise.ptr(), make(to_raise, error.what(), data_of(error)).ptr());
            }
        },
        python_class(name).release().ptr());
}

}  // namespace

void translate_errors() {
    translate<BookError>("BookError");
    translate<FinishedGameError>("FinishedGameError");
    translate<GameFileError>("GameFileError");
    translate<IllegalMoveError>("IllegalMoveError");
    translate<InvalidNotationError>("InvalidNotationError");
    translate<InvalidPositionError>("InvalidPositionError");
    translate<OptionError>("OptionError");
    translate<SettingsError>("SettingsError");
    translate<StoppedError>("StoppedError");
}

nb::object to_python(const IllegalMoveError& error) {
    return make(python_class("IllegalMoveError"), error.what(), data_of(error));
}

nb::object huge_column_error(const std::string& message, nb::handle column, int ply) {
    return make(python_class("IllegalMoveError"), message.c_str(),
                move_data(column, Refusal::off_the_board, ply));
}

void raise(nb::handle error) {
    PyErr_SetObject(error.type().ptr(), error.ptr());
    throw nb::python_error();
}

}  // namespace fourcast::bindings
