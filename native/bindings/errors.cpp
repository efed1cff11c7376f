#include "errors.hpp"

#include "ask.hpp"

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

// What an error knows besides its code and facts, as the keyword arguments of its Python class.

nb::dict data_of(const Error&) { return {}; }

nb::dict data_of(const IllegalMoveError& error) {
    return move_data(nb::int_(error.column), error.reason, error.ply);
}

nb::dict data_of(const InvalidPositionError& error) {
    nb::dict data;
    if (error.square) data["square"] = nb::make_tuple(error.square->column, error.square->row);
    return data;
}

nb::object make(nb::handle python_class, const Error& error, nb::dict data) {
    data["facts"] = value_to(error.facts());
    return python_class(error.what(), **data);
}

nb::object python_class(const char* name) { return nb::module_::import_("fourcast.errors").attr(name); }

/// Makes the C++ error `Each` the class of that name in fourcast.errors.
template <class Each>
void translate(const char* name) {
    // The class is kept for good: an error may be translated until the interpreter ends.
    nb::register_exception_translator(
        [](const std::exception_ptr& pointer, void* payload) {
            try {
                std::rethrow_exception(pointer);
            } catch (const Each& error) {
                const nb::handle to_raise(static_cast<PyObject*>(payload));
                try {
                    PyErr_SetObject(to_raise.ptr(), make(to_raise, error, data_of(error)).ptr());
                } catch (nb::python_error& interrupted) {  // by a signal's handler, say
                    interrupted.restore();
                }
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
    return make(python_class("IllegalMoveError"), error, data_of(error));
}

nb::object huge_column_error(const Error& error, nb::handle column, int ply) {
    return make(python_class("IllegalMoveError"), error, move_data(column, Refusal::off_the_board, ply));
}

void raise(nb::handle error) {
    PyErr_SetObject(error.type().ptr(), error.ptr());
    throw nb::python_error();
}

}  // namespace fourcast::bindings
