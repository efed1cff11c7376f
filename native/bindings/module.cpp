// The compiled module, fourcast._core: one function a subject adds what belongs to it.
#include "module.hpp"

#include "../errors.hpp"
#include "interpreter.hpp"

namespace fourcast::bindings {
namespace {

/// Makes the C++ error `Error` the class of that name in fourcast.errors.
template <class Error>
void translate(nb::module_& errors, const char* name) {
    // The class is kept for good: an error may be translated until the interpreter ends.
    nb::register_exception_translator(
        [](const std::exception_ptr& pointer, void* python_class) {
            try {
                std::rethrow_exception(pointer);
            } catch (const Error& error) {
                PyErr_SetString(static_cast<PyObject*>(python_class), error.what());
            }
        },
        nb::object(errors.attr(name)).release().ptr());
}

}  // namespace
}  // namespace fourcast::bindings

NB_MODULE(_core, module) {
    using namespace fourcast::bindings;
    module.doc() = "The compiled core of fourcast. Import its names from `fourcast`.";
    module.attr("version") = FOURCAST_VERSION;

    // A position that lives until the interpreter ends, in some other module's variable, is no leak.
    nb::set_leak_warnings(false);

    nb::module_ errors = nb::module_::import_("fourcast.errors");
    translate<fourcast::BookError>(errors, "BookError");
    translate<fourcast::FinishedGameError>(errors, "FinishedGameError");
    translate<fourcast::IllegalMoveError>(errors, "IllegalMoveError");
    translate<fourcast::InvalidNotationError>(errors, "InvalidNotationError");
    translate<fourcast::InvalidPositionError>(errors, "InvalidPositionError");
    translate<fourcast::SettingsError>(errors, "SettingsError");
    translate<fourcast::StoppedError>(errors, "StoppedError");

    add_interpreter(module);
    add_columns(module);
    add_position(module);
    add_counting(module);
    add_players(module);
    add_answers(module);
    add_book(module);
    add_solver(module);
}
