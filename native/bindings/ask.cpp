// The values of JSON between C++ and Python, and the questions about games.
#include "study/ask.hpp"

#include "convert.hpp"
#include "study/web_game.hpp"

namespace fourcast::bindings {
namespace {

constexpr int deepest = 64;

struct ToPython {
    nb::object operator()(std::nullptr_t) const { return nb::none(); }
    nb::object operator()(bool truth) const { return nb::bool_(truth); }
    nb::object operator()(long long number) const { return nb::int_(number); }
    nb::object operator()(double number) const { return nb::float_(number); }
    nb::object operator()(const std::string& text) const {
        // An error may quote the name of a file, which need not be UTF-8.
        const auto size = static_cast<Py_ssize_t>(text.size());
        return checked(PyUnicode_DecodeUTF8(text.data(), size, "backslashreplace"));
    }
    nb::object operator()(const Value::Array& values) const {
        nb::list result;
        for (const Value& each : values) result.append(value_to(each));
        return result;
    }
    nb::object operator()(const Value::Object& members) const {
        nb::dict result;
        for (const auto& [name, value] : members)
            result[nb::str(name.data(), name.size())] = value_to(value);
        return result;
    }
};

}  // namespace

Value value_from(nb::handle object, int depth) {
    if (depth > deepest) raise(PyExc_TypeError, "a value is nested too deeply");
    PyObject* const pointer = object.ptr();
    if (object.is_none()) return nullptr;
    if (PyBool_Check(pointer)) return pointer == Py_True;
    if (PyLong_Check(pointer) || PyIndex_Check(pointer)) {  // numpy's ints, too
        const nb::object integer =
            PyLong_Check(pointer) ? nb::borrow(object) : as_integer(object, "a value");
        if (const auto number = small_integer(integer)) return *number;
        return nb::cast<std::string>(nb::str(integer));
    }
    if (PyFloat_Check(pointer)) return nb::cast<double>(object);
    if (PyUnicode_Check(pointer)) return utf8_of(object);
    if (PyDict_Check(pointer)) {
        Value::Object members;
        for (const auto& [name, value] : nb::cast<nb::dict>(object)) {
            if (!PyUnicode_Check(name.ptr())) wrong_type("the name of a member", "a str", name);
            members.emplace_back(utf8_of(name), value_from(value, depth + 1));
        }
        return members;
    }
    if (PyList_Check(pointer) || PyTuple_Check(pointer)) {
        Value::Array values;
        for (const nb::handle each : object) values.push_back(value_from(each, depth + 1));
        return values;
    }
    wrong_type("a value", "None, a bool, an int, a float, a str, a list, a tuple or a dict", object);
}

nb::object value_to(const Value& value) { return value.visit(ToPython{}); }

std::string shown(const std::string& name, const Value& value) {
    std::string members;
    for (const auto& [member, each] : *value.object())
        if (!each.is_null())
            members += text(members.empty() ? "" : ", ", member, "=", repr_of(value_to(each)));
    return text(name, "(", members, ")");
}

void add_ask(nb::module_& module) {
    Module(module).def("ask", [](const std::string& question, nb::handle request, Solver* solver,
                                 const StopToken* stop) {
        const Value asked = value_from(request);
        study::Context context{.solver = solver, .check = check_signals};
        if (stop != nullptr)
            context.token = *stop;
        else if (solver != nullptr)
            context.token = solver->make_token();
        // To give up the lock and to get it back takes longer than these do.
        if (study::is_game_rule(question)) return value_to(study::ask(question, asked, context));
        const Value answer = [&] {
            const WithoutGil no_gil;
            return study::ask(question, asked, context);
        }();
        return value_to(answer);
    });
}

}  // namespace fourcast::bindings
