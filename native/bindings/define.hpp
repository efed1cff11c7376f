// Functions and classes of Python, from functions of C++ and the stub.
//
//     Module(module).def("perft", [](const Position& position, Int<0, max_bits> depth) { ... });
//
// The stub, src/fourcast/_core.pyi, is where signatures and docstrings are written: names of parameters,
// defaults and texts come from there. The type of a C++ parameter says what Python may give for it:
// `Reads` reads it, and refuses anything else in a sentence with the name of the argument.
#pragma once

#include <nanobind/nanobind.h>

#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "interpreter.hpp"
#include "system/errors.hpp"
#include "system/text.hpp"

namespace fourcast::bindings {

// What each file of bindings adds to the module.
void add_answers(nb::module_& module);
void add_arrays(nb::module_& module);
void add_ask(nb::module_& module);
void add_batch(nb::module_& module);
void add_book(nb::module_& module);
void add_columns(nb::module_& module);
void add_position(nb::module_& module);
void add_counting(nb::module_& module);
void add_notation(nb::module_& module);
void add_players(nb::module_& module);
void add_solver(nb::module_& module);

/// How a parameter of type T is read: `from(value, name)`.
template <class T>
struct Reads;

/// How many of the function's parameters in Python it is read from: then `from` takes them all.
template <class T>
inline constexpr std::size_t values_for = 1;

/// All arguments of a function that takes any number of them.
struct Rest {
    PyObject* const* values;
    Py_ssize_t count;
};

/// What the stub says: "solve($self, position, limit=None)\n--\n\n" and the docstring, for a property or
/// a class without constructor the docstring alone. The table is written by native/tools/stub_table.py.
struct StubEntry {
    std::string_view name;
    const char* doc;
};
extern const StubEntry stub_table[];
extern const std::size_t stub_size;
const char* doc_of(const std::string& name);

/// Raises an error of Python.
[[noreturn]] void raise(PyObject* type, const std::string& text);
[[noreturn]] void raise(nb::handle error);
/// The error of fourcast.errors for one of the core. `column` is that of an illegal move which needs
/// more than 64 bits.
nb::object to_python(const Error& error, nb::handle column = {});
/// Makes the exception of C++ that was caught the error of Python that is raised.
void raise_caught() noexcept;
/// From now on, nanobind raises the errors of the core, too.
void translate_errors();

/// The parameters of a function.
class Signature {
  public:
    Signature() = default;
    /// From the first line of a docstring, or if there is none, `count` parameters without names.
    Signature(std::string_view doc, std::size_t count);

    /// The value of each parameter, as a call gives them: `count` positional ones, then those with
    /// names. Raises TypeError if there are too many or too few, or for a name that no parameter has.
    void collect(PyObject* const* given, Py_ssize_t count, PyObject* names, PyObject** values) const;
    const char* name_of(std::size_t index) const { return names_[index].c_str(); }

  private:
    std::size_t index_of(nb::handle name) const;

    std::string name_;
    std::vector<std::string> names_;
    std::vector<PyObject*> keys_;      // the names, as calls have them
    std::vector<PyObject*> defaults_;  // nullptr for what must be given
    std::size_t positional_ = 0;
};

/// What a function is called with: the GIL, or without it for long work, which must not touch Python.
enum class Gil { kept, released };

/// A function as the C API calls it. It has no state of its own, and neither has its C++ function.
template <class Function, bool is_method, Gil gil = Gil::kept,
          class Type = decltype(&Function::operator())>
struct Call;
template <class Function, bool is_method, Gil gil, class Return, class... Args>
struct Call<Function, is_method, gil, Return (Function::*)(Args...) const> {
    static_assert(std::is_empty_v<Function>);
    static constexpr std::size_t skipped = is_method ? 1 : 0;
    static constexpr bool takes_rest = (std::is_same_v<Args, Rest> || ...);
    static constexpr std::size_t given_count = (values_for<std::decay_t<Args>> + ... + 0);
    static inline const Signature* signature;  // for good: it outlives the interpreter
    static inline PyMethodDef definition;

    static PyMethodDef* define(const char* name, const std::string& owner) {
        const char* const doc = doc_of(owner + name);
        signature = new Signature(doc, given_count - skipped);
        definition = {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&call)),
                      METH_FASTCALL | METH_KEYWORDS, doc};
        return &definition;
    }

    static PyObject* call(PyObject* self, PyObject* const* given, Py_ssize_t count,
                          PyObject* names) noexcept {
        try {
            PyObject* values[given_count + 1] = {self};
            const Py_ssize_t rest = takes_rest ? count : 0;
            signature->collect(given + rest, count - rest, names, values + skipped);
            return [&]<std::size_t... Is>(std::index_sequence<Is...>) {
                // In braces: from left to right.
                std::tuple<decltype(read<Args, Is>(values, Rest{given, count}))...> arguments{
                    read<Args, Is>(values, Rest{given, count})...};
                const auto run = [&]() -> Return {
                    if constexpr (gil == Gil::kept) return std::apply(Function{}, std::move(arguments));
                    const WithoutGil no_gil;
                    return std::apply(Function{}, std::move(arguments));
                };
                if constexpr (std::is_void_v<Return>) {
                    run();
                    return nb::none().release().ptr();
                } else {
                    return nb::cast(run()).release().ptr();
                }
            }(std::index_sequence_for<Args...>());
        } catch (...) {
            raise_caught();
            return nullptr;
        }
    }

    static PyObject* get(PyObject* self, void*) noexcept { return call(self, nullptr, 0, nullptr); }

    /// The same as the constructor of a class.
    static PyObject* construct(PyObject*, PyObject* const* given, std::size_t count,
                               PyObject* names) noexcept {
        return call(nullptr, given, NB_VECTORCALL_NARGS(count), names);
    }

  private:
    template <class Arg, std::size_t index>
    static decltype(auto) read(PyObject** values, const Rest& rest) {
        using T = std::decay_t<Arg>;
        constexpr std::size_t counts[] = {values_for<std::decay_t<Args>>...};
        constexpr std::size_t first = std::accumulate(counts, counts + index, std::size_t{0});
        if constexpr (std::is_same_v<T, Rest>)
            return Rest(rest);
        else if constexpr (index < skipped)
            return self_of<Arg>(values[0]);
        else if constexpr (values_for<T> == 2)
            return Reads<T>::from(values[first], values[first + 1]);
        else if constexpr (values_for<T> == 3)
            return Reads<T>::from(values[first], values[first + 1], values[first + 2]);
        else
            return Reads<T>::from(values[first], signature->name_of(first - skipped));
    }
    /// The C API has checked its class.
    template <class Self>
    static decltype(auto) self_of(nb::handle self) {
        using T = std::decay_t<Self>;
        if constexpr (std::is_same_v<T, nb::handle>) {
            return nb::handle(self);
        } else {
            T* found = nullptr;
            if (!nb::try_cast<T*>(self, found, false)) raise(PyExc_TypeError, "it was never made");
            return static_cast<T&>(*found);
        }
    }
};

/// A function or a member of C++, as something that `def` takes.
template <auto member>
struct Plain;
template <class Return, class... Args, Return (*function)(Args...)>
struct Plain<function> {
    Return operator()(Args... args) const { return function(std::forward<Args>(args)...); }
};
template <class Return, class T, Return (T::*function)()>
struct Plain<function> {
    Return operator()(T& self) const { return (self.*function)(); }
};
template <class Return, class T, Return (T::*function)() const>
struct Plain<function> {
    Return operator()(const T& self) const { return (self.*function)(); }
};
template <class Member, class T, Member T::* member>
    requires(!std::is_function_v<Member>)
struct Plain<member> {
    Member operator()(const T& self) const { return self.*member; }
};
template <auto member>
inline constexpr Plain<member> plain{};

/// A function of C++ as an object of Python; `owner` is its module or class.
template <class Function, Gil gil = Gil::kept>
nb::object function_of(const char* name, nb::handle owner, const std::string& prefix) {
    PyMethodDef* const definition = Call<Function, false, gil>::define(name, prefix);
    return nb::steal(PyCFunction_NewEx(definition, owner.ptr(), nb::str("fourcast._core").ptr()));
}

class Module {
  public:
    explicit Module(nb::module_& module) : module_(module) {}

    template <Gil gil = Gil::kept, class Function>
    Module& def(const char* name, const Function&) {
        module_.attr(name) = function_of<Function, gil>(name, module_, "");
        return *this;
    }
    /// A function that takes long, and does without the GIL.
    template <class Function>
    Module& work(const char* name, const Function& function) {
        return def<Gil::released>(name, function);
    }

  private:
    nb::module_& module_;
};

/// The constructor of a class without one.
PyObject* no_constructor(PyObject* type, PyObject* const*, std::size_t, PyObject*) noexcept;

/// Whether other classes of this module are derived from the class of T. From others nobody derives.
template <class T>
inline constexpr bool is_base = false;

/// A class.
template <class T, class... Base>
class Class : public nb::class_<T, Base...> {
    using Plainly = nb::class_<T, Base...>;

  public:
    Class(nb::module_& module, const char* name) : Class(module, name, &no_constructor) {}
    /// With a constructor: a function that returns a T, or a pointer to one.
    template <class Function>
    Class(nb::module_& module, const char* name, const Function&)
        : Class(module, name, &Call<Function, false>::construct) {
        Call<Function, false>::define(name, "");
    }
    explicit Class(Plainly&& other)
        : Plainly(std::move(other)), prefix_(nb::cast<const char*>(this->attr("__name__"))) {
        prefix_ += ".";
    }

    template <Gil gil = Gil::kept, class Function>
    Class& def(const char* name, const Function&) {
        return add(name, PyDescr_NewMethod(type(), Call<Function, true, gil>::define(name, prefix_)));
    }
    /// A method that takes long, and does without the GIL.
    template <class Function>
    Class& work(const char* name, const Function& function) {
        return def<Gil::released>(name, function);
    }
    template <class Function>
    Class& def_static(const char* name, const Function&) {
        return add(name, function_of<Function>(name, *this, prefix_).release().ptr());
    }
    /// A read-only property.
    template <class Function>
    Class& get(const char* name, const Function&) {
        static PyGetSetDef definition;
        definition = {name, &Call<Function, true>::get, nullptr,
                      Call<Function, true>::define(name, prefix_)->ml_doc, nullptr};
        return add(name, PyDescr_NewGetSet(type(), &definition));
    }
    /// Members of T, or functions without parameters, as read-only properties of these names.
    template <auto... members, class... Names>
    Class& gets(Names... names) {
        return (get(names, plain<members>), ...);
    }
    /// What __setstate__ makes of the state in a pickle, which may be damaged.
    template <class Function>
    Class& set_state(const Function&) {
        return def("__setstate__", [](nb::handle self, nb::handle state) {
            if (nb::inst_ready(self)) raise(PyExc_TypeError, "it has been made already");
            new (nb::inst_ptr<T>(self)) T(Function{}(state));
            nb::inst_mark_ready(self);
        });
    }

  private:
    using Constructor = PyObject* (*)(PyObject*, PyObject* const*, std::size_t, PyObject*) noexcept;
    Class(nb::module_& module, const char* name, Constructor constructor)
        : Class(made(module, name, constructor)) {}

    static Plainly made(nb::module_& module, const char* name, Constructor constructor) {
        constexpr int vectorcall = 82;  // Py_tp_vectorcall of Python 3.14, which nanobind takes before
        const PyType_Slot slots[] = {{vectorcall, reinterpret_cast<void*>(constructor)}, {0, nullptr}};
        if constexpr (is_base<T>)
            return Plainly(module, name, nb::type_slots(slots), doc_of(name));
        else
            return Plainly(module, name, nb::type_slots(slots), doc_of(name), nb::is_final());
    }
    PyTypeObject* type() const { return reinterpret_cast<PyTypeObject*>(this->ptr()); }
    Class& add(const char* name, PyObject* member) {
        nb::setattr(*this, name, nb::steal(member));
        return *this;
    }

    std::string prefix_;
};

}  // namespace fourcast::bindings
