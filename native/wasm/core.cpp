// The core for JavaScript: functions of plain numbers, with answers as JSON. Conversions only.
//
// A call is about the position that `set_position` was last called for. Texts are handed over as UTF-32
// in memory that `text` gives. Each function returns whether it succeeded: `answer` is the JSON of what
// was asked for, or of the error. src/fourcast/web/page/static/js/core/core.js is the other side.
//
// Nothing runs in the background. A search that may take long is a task: `run` goes on with it for a
// number of nodes, so that the caller can look for messages in between. What is found stays in the
// table, whatever becomes of the task.
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <variant>

#include "board/moves_text.hpp"
#include "players/choices.hpp"
#include "solver/solver.hpp"
#include "study/ask.hpp"
#include "study/view.hpp"
#include "system/text.hpp"
#include "write.hpp"

#define EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace fourcast::wasm {
namespace {

constexpr std::size_t max_text = 65'536;
constexpr std::size_t max_question = 16'777'216;
constexpr double max_integer = 9007199254740991;  // of JavaScript's numbers

struct SolveTask {
    Goal goal;
    bool best_columns;
    Result result;
};
struct AnalysisTask {
    bool variations;
    Analysis analysis;
};
struct Task {
    study::Shown game;
    std::variant<SolveTask, AnalysisTask> question;
    u64 nodes = 0;
    double time_s = 0;
};

/// Everything that outlives a call.
struct State {
    std::string answer;
    std::u32string texts[3];  // a start, moves from there, and a question
    study::Shown game;
    Solver::Options options;
    std::unique_ptr<Solver> solver;
    std::unique_ptr<Solver> level_solver;
    Book::Memory book;
    std::size_t book_bytes = 0;
    std::map<int, Task> tasks;
    int last_task = 0;
};
State state;

/// Writes the answer of a call, or why there is none.
template <class Call>
bool answered(const Call& call) {
    try {
        state.answer = Value(call()).json();
        return true;
    } catch (...) {
        state.answer = error_value(std::current_exception()).json();
        return false;
    }
}

/// A number from JavaScript, where all of them are doubles.
double bounded(double number, const char* what, double low, double high) {
    if (number >= low && number <= high && number == std::floor(number)) return number;
    throw OptionError("error.out_of_range", {{"what", what},
                                             {"low", Value(low).json()},
                                             {"high", Value(high).json()},
                                             {"given", Value(number).json()}});
}

double time_limit(double time_s) {
    if (time_s > 0) return time_s;
    throw OptionError("error.not_positive", {{"what", "time_s"}, {"given", text(time_s)}});
}

void refuse_finished(const Position& position) {
    if (position.is_over()) throw FinishedGameError("error.choose_over");
}

Solver& solver() {
    if (!state.solver) state.solver = std::make_unique<Solver>(state.options);
    return *state.solver;
}

int start_task(const std::variant<SolveTask, AnalysisTask>& question) {
    state.tasks.emplace(++state.last_task, Task{state.game, question});
    return state.last_task;
}

/// Everything that was asked for is known, the lines of best play included.
bool is_done(const AnalysisTask& task) {
    if (!task.analysis.complete) return false;
    return !task.variations || std::ranges::all_of(task.analysis.lines, [](const Line& line) {
        return static_cast<int>(line.variation.size()) == line.plies_to_end();
    });
}
bool is_done(const SolveTask& task) {
    return task.result.complete && (!task.best_columns || task.result.best_columns);
}

Result& go_on(SolveTask& task, const Position& position, const Limit& limit) {
    const Result before = task.result;
    Result& result = task.result = solver().solve(position, limit, task.goal, task.best_columns, {});
    result.lower = std::max(result.lower, before.lower);
    result.upper = std::min(result.upper, before.upper);
    return result;
}
Result& go_on(AnalysisTask& task, const Position& position, const Limit& limit) {
    const Analysis* const known = task.analysis.lines.empty() ? nullptr : &task.analysis;
    task.analysis = solver().analyze(position, limit, task.variations, {}, {}, known);
    return task.analysis;
}

const Result& answer_of(const SolveTask& task) { return task.result; }
const Analysis& answer_of(const AnalysisTask& task) { return task.analysis; }

/// The chances of a move: of a seed, or nothing for -1.
std::optional<SeededChance> chance_from(double seed) {
    if (seed == -1) return std::nullopt;
    const auto known = static_cast<u64>(bounded(seed, "seed", 0, max_integer));
    return SeededChance(known, static_cast<u64>(state.game.position.ply()));
}

}  // namespace

/// Memory for a text of this many characters: 0 is a start, 1 are moves, 2 is a question. A null pointer
/// if it is too long; the answer says so.
EXPORT(text) char32_t* text_memory(int which, double length) {
    char32_t* memory = nullptr;
    answered([&]() -> Value {
        static constexpr const char* names[] = {"start", "moves", "question"};
        const std::size_t most = which == 2 ? max_question : max_text;
        if (length > static_cast<double>(most))
            throw InvalidNotationError(
                "error.long_text",
                {{"what", names[which]}, {"characters", static_cast<u64>(length)}, {"most", most}});
        auto& own = state.texts[which];
        own.resize(static_cast<std::size_t>(length));
        memory = own.data();
        return {};
    });
    return memory;
}

EXPORT(answer) const char* answer() { return state.answer.data(); }
EXPORT(answer_size) std::size_t answer_size() { return state.answer.size(); }

/// What the core knows of boards, for those that ask before there is one.
EXPORT(set_table) bool set_table(double table_mb) {
    return answered([&]() -> Value {
        state.options.table_mb = static_cast<std::size_t>(bounded(table_mb, "table_mb", 1, 1024));
        state.solver.reset();
        return {};
    });
}

/// Memory for a book of this size, to be filled before `add_book`.
EXPORT(book_memory) unsigned char* book_memory(double bytes) {
    state.book.reset();
    answered([&]() -> Value {
        state.book_bytes = static_cast<std::size_t>(bytes);
        state.book = Book::allocate(static_cast<u64>(bytes), "the given data");
        return {};
    });
    return state.book.get();
}

/// Adds the book in that memory, in front of the others.
EXPORT(add_book) bool add_book() {
    return answered([&]() -> Value {
        const auto book = Book::adopt(std::move(state.book), state.book_bytes, "the given data");
        state.options.books.insert(state.options.books.begin(), book);
        state.solver.reset();
        return object({{"width", book->width()},
                       {"height", book->height()},
                       {"plies", book->plies()},
                       {"positions", book->positions()},
                       {"bytes", book->bytes()}});
    });
}

/// The position after the moves in `text(1)` from the start in `text(0)`: rows, or nothing for an empty
/// board of this size.
EXPORT(set_position) bool set_position(double width, double height) {
    return answered([&]() -> Value {
        const auto side = [&](double length) {
            return length >= 0 && length <= max_bits && length == std::floor(length);
        };
        if (!side(width) || !side(height)) throw size_error(text(width), text(height));
        const Position start = state.texts[0].empty()
                                   ? Position(static_cast<int>(width), static_cast<int>(height))
                                   : Position::from_rows(state.texts[0]);
        state.game = study::Shown(start, state.texts[1]);
        return {};
    });
}

/// Adds a disc to the position.
EXPORT(play) bool play(double column) {
    return answered([&]() -> Value {
        const double known = std::fabs(column) <= max_integer ? column : max_integer;
        state.game.play(static_cast<long long>(known));
        return {};
    });
}

EXPORT(describe) bool describe() {
    return answered([] { return to_value(state.game); });
}

/// Tasks: the number of a new one. Whether the game is over shows when it is run.
EXPORT(start_solve) int start_solve(bool outcome_only, bool best_columns) {
    return start_task(SolveTask{outcome_only ? Goal::outcome : Goal::score,
                                best_columns && !outcome_only, Result::unknown(state.game.position)});
}
EXPORT(start_analysis) int start_analysis(bool variations) {
    return start_task(AnalysisTask{variations, {}});
}

/// Goes on with a task for this number of nodes, or for this time. The answer is what is known by then,
/// and whether that is all: {"done": false, "value": ...}.
EXPORT(run) bool run(int number, double nodes, double time_s) {
    return answered([&]() -> Value {
        Task& task = state.tasks.at(number);
        const Limit limit{.time_s = time_limit(time_s),
                          .nodes = static_cast<u64>(bounded(nodes, "nodes", 1, max_integer))};
        return std::visit(
            [&](auto& question) {
                Result& result = go_on(question, task.game.position, limit);
                result.nodes = task.nodes += result.nodes;
                result.time_s = task.time_s += result.time_s;
                return object(
                    {{"done", is_done(question)}, {"value", to_value(task.game, answer_of(question))}});
            },
            task.question);
    });
}
EXPORT(end_task) void end_task(int number) { state.tasks.erase(number); }

/// Forgets what was found.
EXPORT(clear) void clear() {
    if (state.solver) state.solver->clear();
}

/// Asks one of the questions of study/ask.hpp: `text(2)` is JSON, [name, request].
EXPORT(ask) bool ask() {
    return answered([&]() -> Value {
        const Value asked = Value::from_json(utf8(state.texts[2]));
        const auto& parts = asked.array("a question");
        if (parts.size() != 2) throw OptionError("error.no_request");
        const study::Context context{.solver = &solver()};
        return study::ask(parts[0].text("the name of a question"), parts[1], context);
    });
}

EXPORT(look_ahead)
bool look_ahead(double depth, int evaluation, double time_s, double nodes, bool every_column) {
    return answered([&]() -> Value {
        refuse_finished(state.game.position);
        LookAheadOptions options;
        options.depth = static_cast<int>(bounded(depth, "depth", 1, max_bits));
        options.evaluation = static_cast<Evaluation>(evaluation);
        options.time_s = time_limit(time_s);
        if (nodes <= max_integer)
            options.nodes = static_cast<u64>(bounded(nodes, "nodes", 1, max_integer));
        options.every_column = every_column;
        return to_value(fourcast::look_ahead(state.game.position, options));
    });
}

EXPORT(search_tree) bool search_tree(double playouts, double time_s, double seed, double exploration) {
    return answered([&]() -> Value {
        refuse_finished(state.game.position);
        if (!(exploration >= 0))
            throw OptionError("error.negative", {{"what", "exploration"}, {"given", text(exploration)}});
        TreeSearchOptions options;
        options.playouts = static_cast<u64>(bounded(playouts, "playouts", 1, max_integer));
        options.time_s = time_limit(time_s);
        options.seed = static_cast<u64>(bounded(seed, "seed", 0, max_integer));
        options.exploration = exploration;
        return to_value(fourcast::search_tree(state.game.position, options));
    });
}

/// Picks one of these open columns, by a seed or, for -1, the one nearest to the center. 0 stands for
/// the columns that win at once, or all open ones if there are none.
EXPORT(pick) bool pick(unsigned columns, bool wins_first, double seed) {
    return answered([&]() -> Value {
        const Position& position = state.game.position;
        refuse_finished(position);
        ColumnSet choice = columns & position.legal_columns();
        if (choice == 0) {
            const ColumnSet wins = wins_first ? position.winning_columns(position.turn()) : 0;
            choice = wins != 0 ? wins : position.legal_columns();
        }
        auto chance = chance_from(seed);
        return one_of(choice, position, chance ? &*chance : nullptr);
    });
}

/// The move of a level, from 1 on.
EXPORT(choose_level) bool choose_level(double level, double time_s, double seed) {
    return answered([&]() -> Value {
        const Position& position = state.game.position;
        refuse_finished(position);
        const auto number = static_cast<std::size_t>(bounded(level, "level", 1, levels.size()));
        const Strength& strength = levels[number - 1];
        if (strength.exact_nodes != 0 && !state.level_solver)
            state.level_solver = std::make_unique<Solver>(Solver::Options{.table_mb = level_table_mb});
        SeededChance chance = chance_from(bounded(seed, "seed", 0, max_integer)).value();
        const Sight sight = see(position, strength, state.level_solver.get(), time_limit(time_s));
        return decide(position, strength, sight, chance);
    });
}

/// The move of `perfect`; without a seed the columns that are as good are not told apart by chance.
EXPORT(choose_perfectly) bool choose_perfectly(double time_s, double seed) {
    return answered([&]() -> Value {
        const Position& position = state.game.position;
        refuse_finished(position);
        auto chance = chance_from(seed);
        const Ties ties = chance ? Ties::testing : Ties::center;
        SeededChance unused(0, 0);
        return fourcast::choose_perfectly(position, solver(), ties, time_limit(time_s),
                                          chance ? *chance : unused);
    });
}

}  // namespace fourcast::wasm
