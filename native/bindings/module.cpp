// The compiled module, fourcast._core: each file of bindings adds its own part.
#include "define.hpp"

NB_MODULE(_core, module) {
    using namespace fourcast::bindings;
    module.doc() = "The compiled core of fourcast. Import its names from `fourcast`.";
    module.attr("version") = FOURCAST_VERSION;

    // A position that lives until the interpreter ends, in another module's variable, is not a leak.
    nb::set_leak_warnings(false);

    translate_errors();
    add_interpreter(module);
    add_columns(module);
    add_position(module);
    add_notation(module);
    add_counting(module);
    add_answers(module);
    add_book(module);
    add_solver(module);
    add_players(module);
    add_arrays(module);
    add_batch(module);
    add_ask(module);
}
