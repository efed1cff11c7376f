// Functions and classes of Python, from the signatures of C++ functions.
//
//     Module(module).def("perft", "position"_a, "depth"_a, "Count the sequences of *depth* moves.",
//                        [](const Position& position, Int<0, max_bits> depth) { ... });
//
// The type of a parameter says what Python may give for it: `Reads` has the word for the signature and
// the function that reads it, which refuses anything else in a sentence with the name of the argument.
// Types without `Reads` are left to nanobind. The function comes last.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <functional>
#include <string>
#include <tuple>
#include <utility>

#include "system/text.hpp"

namespace fourcast::bindings {

namespace nb = nanobind;
using namespace nb::literals;

/// How a parameter of type T is read: `type()` is its type in Python, `from(value, name)` reads it.
template <class T>
struct Reads;

template <class T>
concept Readable = requires(nb::handle value) { Reads<T>::from(value, ""); };

/// An argument as Python gave it, to be read as a T.
template <class T>
struct Given {
    nb::handle value;
};

/// The type of what nanobind converts, as Python writes it.
template <std::size_t size, class... Types>
std::string python_type(const nb::detail::descr<size, Types...>& description, bool is_result) {
    const std::array<nb::handle, sizeof...(Types)> types{nb::type<Types>()...};
    std::string shown;
    std::size_t next = 0;
    int alternative = 0;  // of "@for an argument@for a result@"
    for (const char* at = description.text; *at != '\0'; ++at) {
        if (*at == '@')
            alternative = (alternative + 1) % 3;
        else if (alternative == (is_result ? 1 : 2))
            continue;
        else if (*at == '%')
            shown += nb::cast<const char*>(types[next++].attr("__name__"));
        else
            shown += *at;
    }
    return shown;
}

/// The functions below, for functions of a module (`is_method` is false) and of a class.
template <bool is_method>
class Definition {
    static constexpr std::size_t skipped = is_method ? 1 : 0;

  public:
    /// Calls `use` with a function for nanobind, and the annotations that belong to it.
    template <class Use, class... Rest>
    static void make(const char* name, const Use& use, const Rest&... rest) {
        const auto all = std::tie(rest...);
        constexpr std::size_t count = sizeof...(Rest) - 1;
        [&]<std::size_t... Is>(std::index_sequence<Is...>) {
            const auto& function = std::get<count>(all);
            if constexpr (std::is_member_pointer_v<std::decay_t<decltype(function)>>)
                use(function, std::get<Is>(all)...);  // nothing to be read
            else
                with(name, use, std::function{function}, function, std::get<Is>(all)...);
        }(std::make_index_sequence<count>());
    }

  private:
    template <std::size_t index, class Arg>
    static constexpr bool is_read = index >= skipped && Readable<std::decay_t<Arg>>;
    template <std::size_t index, class Arg>
    using Taken = std::conditional_t<is_read<index, Arg>, Given<std::decay_t<Arg>>, Arg>;

    template <class Arg, std::size_t index, class Names>
    static decltype(auto) read(Taken<index, Arg>& taken, const Names& names) {
        if constexpr (is_read<index, Arg>)
            return Reads<std::decay_t<Arg>>::from(taken.value, names[index - skipped]);
        else
            return std::forward<Arg>(taken);
    }

    template <class Use, class Function, class Return, class... Args, class... Extra>
    static void with(const char* name, const Use& use, const std::function<Return(Args...)>&,
                     const Function& function, const Extra&... extra) {
        std::array<const char*, sizeof...(Args) - skipped + 1> names{};
        std::size_t next = 0;
        ((named<Extra> ? void(names[next++] = name_of(extra)) : void()), ...);
        [&]<std::size_t... Is>(std::index_sequence<Is...>) {
            const std::array<std::string, sizeof...(Args) + 1> types{type_of<Is, Args>()...};
            const std::string words = signature(name, &types[skipped], result_type<Return>(), extra...);
            use(
                [function, names](Taken<Is, Args>... taken) -> Return {
                    // In braces: from left to right.
                    std::tuple<decltype(read<Args, Is>(taken, names))...> arguments{
                        read<Args, Is>(taken, names)...};
                    return std::apply(function, std::move(arguments));
                },
                nb::sig(words.c_str()), none_allowed(extra)...);
        }(std::index_sequence_for<Args...>());
    }

    template <class Extra>
    static constexpr bool named = nb::detail::arg_traits<Extra>::is_arg;

    template <class Extra>
    static const char* name_of(const Extra& extra) {
        if constexpr (named<Extra>)
            return extra.name_;
        else
            return nullptr;
    }

    /// None is refused by what reads the argument.
    template <class Extra>
    static auto none_allowed(const Extra& extra) {
        if constexpr (!named<Extra>) {
            return extra;
        } else {
            constexpr auto flags = nb::detail::arg_traits<Extra>::flags |
                                   static_cast<std::uint32_t>(nb::detail::cast_flags::accepts_none);
            if constexpr (nb::detail::arg_traits<Extra>::has_default)
                return nb::arg_v_t<flags, false>(extra, nb::object(extra.value));
            else
                return nb::arg_t<flags, false>(extra);
        }
    }

    template <std::size_t index, class Arg>
    static std::string type_of() {
        if constexpr (index < skipped)
            return {};
        else if constexpr (is_read<index, Arg>)
            return Reads<std::decay_t<Arg>>::type();
        else if constexpr (std::is_same_v<std::decay_t<Arg>, nb::args>)
            return "*int";  // all that there are
        else
            return python_type(nb::detail::make_caster<Arg>::Name, false);
    }
    template <class Return>
    static std::string result_type() {
        if constexpr (std::is_void_v<Return>)
            return "None";
        else
            return python_type(nb::detail::make_caster<Return>::Name, true);
    }

    template <class... Extra>
    static std::string signature(const char* name, const std::string* types, const std::string& result,
                                 const Extra&... extra) {
        std::string words = is_method ? "self" : "";
        [[maybe_unused]] const auto add = [&]<class Each>(const Each& each) {
            constexpr bool is_star = std::is_same_v<Each, nb::kw_only>;
            if (!named<Each> && !is_star) return;
            if (!words.empty()) words += ", ";
            if constexpr (is_star) words += "*";
            if constexpr (named<Each>) {
                const bool is_rest = types->starts_with('*');
                words += text(is_rest ? "*" : "", each.name_, ": ", types->substr(is_rest ? 1 : 0));
                ++types;
            }
            if constexpr (nb::detail::arg_traits<Each>::has_default)
                words += text(" = ", nb::repr(each.value).c_str());
        };
        (add(extra), ...);
        return text("def ", name, "(", words, ") -> ", result);
    }
};

class Module {
  public:
    explicit Module(nb::module_& module) : module_(module) {}

    template <class... Rest>
    Module& def(const char* name, const Rest&... rest) {
        Definition<false>::make(
            name, [&module = module_, name](const auto&... all) { module.def(name, all...); }, rest...);
        return *this;
    }

  private:
    nb::module_& module_;
};

/// A class that cannot be derived from, unless nanobind is told otherwise.
template <class T>
class Class : public nb::class_<T> {
  public:
    Class(nb::module_& module, const char* name, const char* doc)
        : nb::class_<T>(module, name, nb::is_final(),
                        nb::sig(text("@typing.final\nclass ", name, "(object)").c_str()), doc) {}
    explicit Class(nb::class_<T>&& other) : nb::class_<T>(std::move(other)) {}

    template <class... Rest>
    Class& def(const char* name, const Rest&... rest) {
        Definition<true>::make(
            name,
            [&, &plain = static_cast<nb::class_<T>&>(*this)](const auto&... all) {
                plain.def(name, all...);
            },
            rest...);
        return *this;
    }
    template <class... Rest>
    Class& def_static(const char* name, const Rest&... rest) {
        Definition<false>::make(
            name,
            [&, &plain = static_cast<nb::class_<T>&>(*this)](const auto&... all) {
                plain.def_static(name, all...);
            },
            rest...);
        return *this;
    }
    /// The constructor, from a function that returns a T.
    template <class... Rest>
    Class& init(const Rest&... rest) {
        constexpr std::size_t count = sizeof...(Rest) - 1;
        const auto all = std::tie(rest...);
        Class& self = *this;
        [&]<std::size_t... Is>(std::index_sequence<Is...>) {
            self.def("__init__", std::get<Is>(all)...,
                     placing(std::function{std::get<count>(all)}, std::get<count>(all)));
        }(std::make_index_sequence<count>());
        return *this;
    }
    /// A read-only property.
    template <class Function>
    Class& get(const char* name, const char* doc, const Function& function) {
        this->def_prop_ro(name, function, doc);
        return *this;
    }

  private:
    template <class Function, class... Args>
    static auto placing(const std::function<T(Args...)>&, const Function& function) {
        return
            [function](T* self, Args... args) { new (self) T(function(std::forward<Args>(args)...)); };
    }
};

}  // namespace fourcast::bindings

template <class T>
struct nanobind::detail::type_caster<fourcast::bindings::Given<T>> {
    NB_TYPE_CASTER(fourcast::bindings::Given<T>, const_name("object"))

    bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
        value.value = source;
        return true;
    }
};
