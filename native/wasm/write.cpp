#include "write.hpp"

#include <new>

#include "board/moves_text.hpp"
#include "study/review.hpp"
#include "system/errors.hpp"

namespace fourcast::wasm {
namespace {

using Squares = std::vector<std::pair<int, int>>;

std::pair<int, int> square_of(int index, int height) {
    return {index / (height + 1), index % (height + 1)};
}

Squares squares_of(u128 bits, int height) {
    Squares squares;
    for (const int index : each(bits)) squares.push_back(square_of(index, height));
    return squares;
}

std::vector<int> columns_of(ColumnSet set) {
    std::vector<int> columns;
    for (const int column : each(set)) columns.push_back(column);
    return columns;
}

std::string moves_of(const std::vector<int>& columns) {
    std::string moves;
    for (const int column : columns) moves += column_name(column);
    return moves;
}

/// 0 is nobody in the core.
std::optional<int> somebody(int player) { return player == 0 ? std::nullopt : std::optional(player); }

void put_meaning(Json& json, const Proven& proven) {
    json.member("score", proven.score())
        .member("lower", proven.lower)
        .member("upper", proven.upper)
        .member("outcome", proven.outcome() == nullptr
                               ? std::nullopt
                               : std::optional(std::string_view(proven.outcome())))
        .member("winner", somebody(proven.winner()))
        .member("plies_to_end", proven.plies_to_end())
        .member("moves_to_end", proven.moves_to_end());
}

void put_effort(Json& json, const Result& result) {
    json.member("complete", result.complete)
        .member("nodes", result.nodes)
        .member("time_s", result.time_s);
}

void put_column(Json& json, const Line& line, bool is_best) {
    Squares squares;
    Position position = line.position;
    for (const int column : line.variation) {
        squares.emplace_back(column, position.column_height(column));
        position = position.play(column);
    }
    json.object([&] {
        json.member("column", line.column).member("name", std::string(1, column_name(line.column)));
        put_meaning(json, line);
        json.member("is_best", is_best)
            .member("variation", line.variation)
            .member("moves", moves_of(line.variation))
            .member("squares", squares);
    });
}

/// The proofs of explanations.
class ProofWriter {
  public:
    ProofWriter(Json& json, int height) : json_(json), height_(height) {}

    void claim(const reasons::Claim& claim) {
        json_.object([&] {
            json_.member("player", claim.player)
                .member("goal", name(claim.goal))
                .member("start", claim.start)
                .member("proof",
                        [&] { std::visit([&](const auto& each) { proof(each); }, claim.proof); });
        });
    }

  private:
    static const char* name(reasons::Role role) { return role == reasons::Role::win ? "win" : "hold"; }
    static const char* name(reasons::FreeMove free) {
        switch (free) {
            case reasons::FreeMove::any_even:
                return "any_even";
            case reasons::FreeMove::one_odd:
                return "one_odd";
            case reasons::FreeMove::one:
                return "one";
            case reasons::FreeMove::never:
                break;
        }
        return "never";
    }
    std::pair<int, int> square(u128 bit) const { return square_of(lowest_bit(bit), height_); }
    Squares squares(u128 bits) const { return squares_of(bits, height_); }

    void proof(const reasons::ForceLine& proof) {
        json_.object([&] { json_.member("kind", "force").member("line", proof.columns); });
    }
    void proof(const reasons::AnswerPlan<u128>& proof) {
        const auto put_answers = [&] {
            for (const auto& answer : proof.answers) {
                Squares choices;
                for (const u128 choice : answer.squares) choices.push_back(square(choice));
                json_.object(
                    [&] { json_.member("stone", square(answer.disc)).member("squares", choices); });
            }
        };
        json_.object([&] {
            json_.member("kind", "plan")
                .member("answers", [&] { json_.array(put_answers); })
                .member("takes", proof.takes)
                .member("latest", somebody(proof.latest));
        });
    }
    void proof(const reasons::LocalProof<u128>& proof) {
        json_.object([&] {
            json_.member("kind", "local")
                .member("groups",
                        [&] {
                            json_.array([&] {
                                for (const auto& each : proof.groups) group(each);
                            });
                        })
                .member("latest", somebody(proof.latest));
        });
    }
    void proof(const reasons::CaseProof<u128>& proof) {
        const auto put_ends = [&] {
            for (const auto& end : proof.ends)
                json_.object([&] {
                    json_.member("theirs", squares(end.theirs))
                        .member("mine", squares(end.mine))
                        .member("proof", [&] {
                            std::visit([&](const auto& each) { this->proof(each); }, end.proof);
                        });
                });
        };
        json_.object([&] {
            json_.member("kind", "cases")
                .member("answers", [&] { put(proof.answers); })
                .member("ends", [&] { json_.array(put_ends); })
                .member("latest", somebody(proof.latest));
        });
    }
    void put(const std::vector<reasons::LocalAnswer<u128>>& answers) {
        json_.array([&] {
            for (const auto& answer : answers)
                json_.object([&] {
                    json_.member("theirs", squares(answer.theirs))
                        .member("mine", squares(answer.mine))
                        .member("answer", square(answer.answer));
                });
        });
    }
    void group(const reasons::LocalGroup<u128>& group) {
        std::vector<Squares> needs;
        for (const u128 need : group.needs) needs.push_back(squares(need));
        json_.object([&] {
            json_.member("columns", columns_of(group.columns))
                .member("role", name(group.role))
                .member("free", name(group.free))
                .member("needs", needs)
                .member("answers", [&] { put(group.answers); });
        });
    }

    Json& json_;
    int height_;
};

const char* word_of(Refusal reason) {
    switch (reason) {
        case Refusal::full:
            return "full";
        case Refusal::off_the_board:
            return "off the board";
        case Refusal::finished:
            break;
    }
    return "finished";
}

}  // namespace

Game::Game(const Position& from, std::u32string_view moves) : start(from), position(from) {
    for (const Step& step : play_steps(from, moves)) {
        columns.push_back(step.column);
        position = step.position;
    }
}

std::string Game::moves() const { return moves_of(columns); }

void write(Json& json, const Game& game) {
    const Position& position = game.position;
    std::optional<std::pair<int, int>> last;
    if (!game.columns.empty()) {
        const int column = game.columns.back();
        last.emplace(column, position.column_height(column) - 1);
    }
    std::vector<std::vector<int>> cells;
    for (int row = 0; row < position.height(); ++row) {
        auto& squares = cells.emplace_back();
        for (int column = 0; column < position.width(); ++column)
            squares.push_back(position.at(column, row));
    }
    const auto squares = [&](u128 bits) { return squares_of(bits, position.height()); };
    json.object([&] {
        json.member("width", position.width())
            .member("height", position.height())
            .member("start", game.start.ply() == 0 ? std::string() : game.start.rows())
            .member("moves", game.moves())
            .member("ply", position.ply())
            .member("turn", position.turn())
            .member("cells", cells)
            .member("legal_columns", columns_of(position.legal_columns()))
            .member("last_move", last)
            .member("winner", somebody(position.winner()))
            .member("is_over", position.is_over())
            .member("is_draw", position.is_draw())
            .member("winning_squares", squares(position.winning_squares()))
            .member("threats_first", squares(position.threats(1)))
            .member("threats_second", squares(position.threats(2)))
            .member("diagram", position.diagram());
    });
}

void write(Json& json, const Game& game, const Result& result) {
    const auto best = result.best_columns;
    json.object([&] {
        json.member("position", [&] { write(json, game); });
        put_meaning(json, result);
        json.member("best_columns", best ? std::optional(columns_of(*best)) : std::nullopt)
            .member("share", result.share());
        put_effort(json, result);
    });
}

void write(Json& json, const Game& game, const Analysis& analysis) {
    const ColumnSet best = analysis.proven_best_columns();
    const auto put_columns = [&] {
        for (const Line& line : analysis.lines) put_column(json, line, (best >> line.column & 1) != 0);
    };
    json.object([&] {
        json.member("position", [&] { write(json, game); });
        put_meaning(json, analysis.result);
        json.member("best_columns", columns_of(best)).member("share", analysis.result.share());
        put_effort(json, analysis.result);
        json.member("columns", [&] { json.array(put_columns); });
    });
}

void write(Json& json, const Game& game, const std::vector<std::optional<int>>& scores) {
    std::vector<JudgedMove> moves;
    for (std::size_t i = 0; i < game.columns.size(); ++i) {
        const int player = 1 + (game.start.ply() + static_cast<int>(i)) % 2;
        const bool is_end = i + 1 == game.columns.size() && game.position.is_over();
        const auto left = is_end ? std::optional(final_score(game.position)) : scores.at(i + 1);
        moves.push_back({player, scores.at(i), left ? std::optional(-*left) : std::nullopt});
    }
    const auto put_move = [&](std::size_t i) {
        const auto& [player, before, after] = moves[i];
        const auto verdict = moves[i].verdict();
        json.object([&] {
            json.member("number", i + 1)
                .member("player", player)
                .member("column", game.columns[i])
                .member("verdict",
                        verdict ? std::optional(std::string_view(name_of(*verdict))) : std::nullopt)
                .member("loss", verdict ? std::optional(*before - *after) : std::nullopt)
                .member("score_before", before)
                .member("score_after", after)
                .member("score_first", after && player == 2 ? std::optional(-*after) : after);
        });
    };
    const ReviewSummary summary = summarize(moves, highest_score(game.position.cells()));
    const auto decisive = summary.decisive;
    json.object([&] {
        json.member("position", [&] { write(json, game); })
            .member("complete", summary.complete)
            .member("moves",
                    [&] {
                        json.array([&] {
                            for (std::size_t i = 0; i < moves.size(); ++i) put_move(i);
                        });
                    })
            .member("accuracy_first", summary.accuracy[0])
            .member("accuracy_second", summary.accuracy[1])
            .member("decisive", decisive ? std::optional(*decisive + 1) : std::nullopt);
    });
}

void write(Json& json, const reasons::Explanation& explanation) {
    const Result& verdict = explanation.verdict;
    const Position& position = verdict.position;
    ProofWriter writer(json, position.height());
    const auto put_claims = [&] {
        for (const reasons::Claim& claim : explanation.claims) writer.claim(claim);
    };
    const auto put_verdict = [&] {
        json.object([&] {
            json.member("first", position.first())
                .member("second", position.second())
                .member("width", position.width())
                .member("height", position.height());
            put_meaning(json, verdict);
            const auto best = verdict.best_columns;
            json.member("best_columns", best ? std::optional(columns_of(*best)) : std::nullopt);
            put_effort(json, verdict);
        });
    };
    json.object([&] {
        json.member("version", 1)
            .member("verdict", put_verdict)
            .member("line", explanation.line)
            .member("claims", [&] { json.array(put_claims); })
            .member("complete", explanation.complete);
    });
}

void write(Json& json, const LookAhead& look_ahead) {
    json.object([&] {
        json.member("values", look_ahead.values)
            .member("best_columns", columns_of(look_ahead.best))
            .member("depth", look_ahead.depth)
            .member("nodes", look_ahead.nodes)
            .member("win_base", look_ahead.win_base);
    });
}

void write(Json& json, const TreeSearch& tree_search) {
    json.object([&] {
        json.member("visits", tree_search.visits)
            .member("means", tree_search.means)
            .member("best_columns", columns_of(tree_search.best))
            .member("playouts", tree_search.playouts);
    });
}

void write(Json& json, const std::exception_ptr& pointer) {
    const auto put = [&](const char* name, const char* message) {
        json.member("name", name).member("message", message);
    };
    json.object([&] {
        try {
            std::rethrow_exception(pointer);
        } catch (const IllegalMoveError& error) {
            put("IllegalMoveError", error.what());
            json.member("column", error.column)
                .member("reason", word_of(error.reason))
                .member("ply", error.ply);
        } catch (const InvalidPositionError& error) {
            put("InvalidPositionError", error.what());
            if (error.square) json.member("square", std::pair(error.square->column, error.square->row));
        } catch (const InvalidNotationError& error) {
            put("InvalidNotationError", error.what());
        } catch (const GameFileError& error) {
            put("GameFileError", error.what());
        } catch (const FinishedGameError& error) {
            put("FinishedGameError", error.what());
        } catch (const OptionError& error) {
            put("OptionError", error.what());
        } catch (const BookError& error) {
            put("BookError", error.what());
        } catch (const std::bad_alloc&) {
            put("OutOfMemoryError", "there is not enough memory; take a smaller table or book");
        } catch (const std::exception& error) {
            put("Error", error.what());
        }
    });
}

}  // namespace fourcast::wasm
