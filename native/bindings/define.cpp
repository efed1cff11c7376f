#include "define.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "convert.hpp"

namespace fourcast::bindings {
namespace {

/// The value of a literal that is the default of a parameter.
nb::object value_of(const std::string& literal) {
    if (literal == "None") return nb::none();
    if (literal == "True" || literal == "False") return nb::bool_(literal == "True");
    if (literal == "()") return nb::make_tuple();
    if (literal.front() == '\'') return nb::str(literal.data() + 1, literal.size() - 2);
    if (literal.find('.') != std::string::npos) return nb::float_(std::stod(literal));
    return nb::int_(std::stoll(literal));
}

}  // namespace

const char* doc_of(const std::string& name) {
    const StubEntry* const end = stub_table + stub_size;
    const auto* const found =
        std::lower_bound(stub_table, end, name,
                         [](const StubEntry& each, const std::string& to) { return each.name < to; });
    if (found != end && found->name == name) return found->doc;
    // Special and private methods need not be in the stub.
    if (name.find("._") != std::string::npos) return "";
    throw std::logic_error(text("the stub has no ", name));
}

Signature::Signature(std::string_view doc, std::size_t count) {
    const std::size_t end = doc.find(")\n--\n\n");
    if (end == std::string_view::npos) {  // a special method, or a property
        names_.assign(positional_ = count, "the argument");
        defaults_.assign(count, nullptr);
        return;
    }
    std::size_t at = doc.find('(');
    name_ = doc.substr(0, at);
    bool is_positional = true;
    while (at < end) {
        const std::size_t from = doc.find_first_not_of(" ,(", at);
        at = std::min(end, doc.find(", ", from));
        const std::string words(doc.substr(from, at - from));
        if (words.starts_with('*')) is_positional = false;
        if (words.empty() || std::strchr("$*/", words.front()) != nullptr) continue;
        const std::size_t equals = words.find('=');
        const std::string name = words.substr(0, equals);
        names_.push_back(name);
        keys_.push_back(PyUnicode_InternFromString(name.c_str()));
        defaults_.push_back(equals == words.npos ? nullptr
                                                 : value_of(words.substr(equals + 1)).release().ptr());
        if (is_positional) ++positional_;
    }
}

void Signature::collect(PyObject* const* given, Py_ssize_t count, PyObject* names,
                        PyObject** values) const {
    const auto positional = static_cast<std::size_t>(count);
    if (positional > positional_)
        raise(PyExc_TypeError,
              text(name_, "() takes ", positional_, " arguments without a name, not ", count));
    std::copy_n(given, positional, values);
    std::copy(defaults_.begin() + count, defaults_.end(), values + positional);
    const std::size_t named = names == nullptr ? 0 : nb::len(nb::handle(names));
    for (std::size_t i = 0; i < named; ++i) {
        const std::size_t index = index_of(nb::handle(names)[i]);
        if (index < positional)
            raise(PyExc_TypeError, text(name_, "() was given ", name_of(index), " twice"));
        values[index] = given[positional + i];
    }
    for (std::size_t i = positional; i < defaults_.size(); ++i)
        if (values[i] == nullptr) raise(PyExc_TypeError, text(name_, "() needs ", name_of(i)));
}

std::size_t Signature::index_of(nb::handle name) const {
    const auto index = [](auto found, const auto& all) {
        return static_cast<std::size_t>(found - all.begin());
    };
    const auto same = std::ranges::find(keys_, name.ptr());
    if (same != keys_.end()) return index(same, keys_);
    const std::string words = utf8_of(name);
    const auto equal = std::ranges::find(names_, words);
    if (equal != names_.end()) return index(equal, names_);
    const nb::object advice =
        nb::module_::import_("fourcast.errors").attr("suggest")(name, nb::cast(names_));
    raise(PyExc_TypeError, text(name_, "() has no argument \'", words, "\'",
                                names_.empty() ? "" : "; " + utf8_of(advice)));
}

PyObject* no_constructor(PyObject* type, PyObject* const*, std::size_t, PyObject*) noexcept {
    PyErr_Format(PyExc_TypeError, "%R is not made by calling it", type);
    return nullptr;
}

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
