#include "write.hpp"

#include <new>

#include "system/errors.hpp"

namespace fourcast::wasm {

Value to_value(const LookAhead& look_ahead) {
    return object({{"values", look_ahead.values},
                   {"best_columns", to_value(look_ahead.best)},
                   {"depth", look_ahead.depth},
                   {"nodes", look_ahead.nodes},
                   {"win_base", look_ahead.win_base}});
}

Value to_value(const TreeSearch& tree_search) {
    return object({{"visits", tree_search.visits},
                   {"means", tree_search.means},
                   {"best_columns", to_value(tree_search.best)},
                   {"playouts", tree_search.playouts}});
}

Value error_value(const std::exception_ptr& pointer) {
    const auto told = [](const char* name, const Error& error) {
        return object({{"name", name}, {"code", error.code()}, {"facts", error.facts()}});
    };
    try {
        std::rethrow_exception(pointer);
    } catch (const Error& error) {
        Value json = told(error.name(), error);
        json.join(error.data());
        return json;
    } catch (const std::bad_alloc&) {
        return told("OutOfMemoryError", Error("error.out_of_memory"));
    } catch (const std::exception& error) {
        return told("Error", Error("error.unforeseen", {{"what", error.what()}}));
    }
}

}  // namespace fourcast::wasm
