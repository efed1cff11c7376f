#include "sentences.hpp"

#include <algorithm>

namespace fourcast::reasons {
namespace {

/// English words of the patterns, with the players but without their other facts. The tests count the
/// words of whole texts.
constexpr std::pair<std::string_view, int> own_words[] = {{"columns.one", 1},
                                                          {"score.wins", 3},
                                                          {"score.loses", 3},
                                                          {"score.draws", 1},
                                                          {"columns.some", 2},
                                                          {"and", 1},
                                                          {"or", 1},
                                                          {"named_column", 1},
                                                          {"named_row", 1},
                                                          {"named_diagonal", 1},
                                                          {"where_straight", 1},
                                                          {"where_diagonal", 2},
                                                          {"threat_odd", 2},
                                                          {"threat_even", 2},
                                                          {"does_win", 0},
                                                          {"does_block", 0},
                                                          {"does_double", 2},
                                                          {"does_prevent", 4},
                                                          {"does_prevent_force", 4},
                                                          {"does_threaten", 2},
                                                          {"does_threaten_now", 2},
                                                          {"does_prepare", 3},
                                                          {"does_prepare_force", 3},
                                                          {"does_deny", 4},
                                                          {"does_most", 10},
                                                          {"idea_danger_two", 5},
                                                          {"idea_danger_force", 8},
                                                          {"stop_two", 5},
                                                          {"stop_force", 8},
                                                          {"stops_one", 3},
                                                          {"stops_some", 3},
                                                          {"stops_not_one", 4},
                                                          {"stops_not_some", 4},
                                                          {"win", 1},
                                                          {"draw", 1},
                                                          {"loss", 1},
                                                          {"into_draw", 2},
                                                          {"into_loss", 2},
                                                          {"move_keeps", 3},
                                                          {"move_keeps_loss", 6},
                                                          {"move_only", 7},
                                                          {"move_mistake", 4},
                                                          {"kept_one", 4},
                                                          {"kept_some", 4},
                                                          {"reply_one", 6},
                                                          {"reply_on_top", 5},
                                                          {"same_point", 12},
                                                          {"reply_takes", 8},
                                                          {"reply_needed", 6},
                                                          {"idea_block", 3},
                                                          {"idea_later", 7},
                                                          {"lead_zugzwang", 1},
                                                          {"lead_later", 6},
                                                          {"idea_four", 5},
                                                          {"idea_open_three", 11},
                                                          {"idea_now_two", 9},
                                                          {"idea_now_stack", 9},
                                                          {"idea_play_two", 6},
                                                          {"idea_play_stack", 10},
                                                          {"idea_force_two", 8},
                                                          {"idea_force_stack", 10},
                                                          {"idea_whatever", 17},
                                                          {"idea_has", 4},
                                                          {"idea_gets", 7},
                                                          {"idea_gets_bare", 4},
                                                          {"idea_gets_either", 5},
                                                          {"idea_has_some", 4},
                                                          {"idea_gets_some", 4},
                                                          {"idea_count_none", 13},
                                                          {"idea_count_one", 14},
                                                          {"idea_count_same", 14},
                                                          {"idea_count_other", 14},
                                                          {"idea_then", 9},
                                                          {"idea_waits", 12},
                                                          {"idea_waits_among", 15},
                                                          {"idea_waits_often", 16},
                                                          {"idea_sooner", 8},
                                                          {"unless_2", 8},
                                                          {"unless_3", 4},
                                                          {"unless_4", 3},
                                                          {"idea_follow", 14},
                                                          {"idea_stacked", 14},
                                                          {"idea_stacked_gets", 14},
                                                          {"idea_twice", 7},
                                                          {"idea_threats", 12},
                                                          {"idea_threats_line", 14},
                                                          {"idea_mixed", 21},
                                                          {"idea_target", 22},
                                                          {"idea_target_among", 27},
                                                          {"idea_example_zugzwang", 22},
                                                          {"idea_example_threats", 16},
                                                          {"moves_more", 1},
                                                          {"moves_reply", 1},
                                                          {"do", 1},
                                                          {"do_begin", 3},
                                                          {"do_begin_then", 2},
                                                          {"do_first", 4},
                                                          {"do_follow", 9},
                                                          {"do_follow_but", 5},
                                                          {"do_follow_or_force", 11},
                                                          {"do_follow_or_force_but", 12},
                                                          {"do_mostly", 5},
                                                          {"but_share", 5},
                                                          {"but_fill", 9},
                                                          {"but_answer", 2},
                                                          {"idea_longest", 5},
                                                          {"idea_longest_some", 5},
                                                          {"idea_only_draw", 3},
                                                          {"idea_some_draw", 2},
                                                          {"idea_some_lose", 4},
                                                          {"idea_all_draw", 3},
                                                          {"idea_no_reason", 7},
                                                          {"idea_holds", 3},
                                                          {"idea_no_line", 7},
                                                          {"idea_needs", 8},
                                                          {"idea_next", 4},
                                                          {"vain_on_top", 14},
                                                          {"vain_shared", 9},
                                                          {"vain_below", 10},
                                                          {"key_square", 8},
                                                          {"not_above", 5},
                                                          {"not_others", 2},
                                                          {"not_two", 5},
                                                          {"not_answer", 2},
                                                          {"not_takes", 8},
                                                          {"not_draws", 6},
                                                          {"not_quiet", 6},
                                                          {"not_ends_zugzwang", 18},
                                                          {"not_ends_threats", 11},
                                                          {"then_ends_zugzwang", 15},
                                                          {"then_ends_threats", 8},
                                                          {"not_force", 8},
                                                          {"not_any_wins", 5},
                                                          {"not_any_draws", 5},
                                                          {"not_any_threat", 8},
                                                          {"not_taken_threat", 13},
                                                          {"not_taken_wins", 9},
                                                          {"not_taken_draws", 9},
                                                          {"rule_odd", 9},
                                                          {"rule_even", 9},
                                                          {"rule_count", 12},
                                                          {"rule_stack", 11},
                                                          {"rule_two", 9},
                                                          {"rule_open_three", 12},
                                                          {"rule_key", 13},
                                                          {"rule_follow", 11},
                                                          {"rule_below", 12},
                                                          {"no_reason", 13},
                                                          {"no_time", 7},
                                                          {"column_instead", 2},
                                                          {"brief_later", 5},
                                                          {"brief_on_top", 5},
                                                          {"brief_four", 4},
                                                          {"brief_above", 6},
                                                          {"brief_now_two", 5},
                                                          {"brief_now_stack", 9},
                                                          {"brief_play_two", 7},
                                                          {"brief_play_stack", 5},
                                                          {"brief_force", 7},
                                                          {"brief_whatever", 10},
                                                          {"brief_zugzwang", 11},
                                                          {"brief_zugzwang_often", 14},
                                                          {"brief_stacked", 8},
                                                          {"brief_twice", 7},
                                                          {"brief_threats", 7},
                                                          {"brief_mixed", 10},
                                                          {"brief_target", 12},
                                                          {"brief_example_zugzwang", 9},
                                                          {"brief_example_threats", 6},
                                                          {"brief_answer", 2},
                                                          {"brief_answer_threat", 5},
                                                          {"brief_answer_deny", 8},
                                                          {"brief_answer_prevent", 7},
                                                          {"brief_answer_prevent_force", 7},
                                                          {"brief_answer_prevent_there", 6},
                                                          {"brief_answer_prepare", 6},
                                                          {"brief_answer_prepare_force", 6},
                                                          {"brief_answer_most", 12},
                                                          {"does", 1},
                                                          {"it_does", 1},
                                                          {"idea_longest_does", 6},
                                                          {"idea_only_draw_does", 4},
                                                          {"but_shares", 6},
                                                          {"not_else_wins", 9},
                                                          {"not_else_draws", 9},
                                                          {"not_else_threat", 13},
                                                          {"vain_below_both", 11},
                                                          {"vain_below_each", 14},
                                                          {"vain_above", 17},
                                                          {"then_does", 3},
                                                          {"idea_some_lose_above", 9}};

}  // namespace

int words_in(const Value& fact) {
    if (const auto* const list = fact.array()) {
        int sum = 0;
        for (const Value& each : *list) sum += words_in(each);
        return sum;
    }
    if (const std::string* const text = fact.text())
        return 1 + static_cast<int>(std::ranges::count(*text, ' '));
    if (fact.object() == nullptr || fact.has("player")) return 1;
    const std::string& pattern = fact.at("pattern").text("pattern");
    if (pattern == "square") return 1;
    if (pattern == "named_diagonal") return 2;
    int sum = 0;
    for (const auto& [name, words] : own_words)
        if (name == pattern) sum = words;
    for (const auto& [name, value] : *fact.at("facts").object())
        if (name != "player" && name != "opponent") sum += words_in(value);
    return sum;
}

void Sentences::add(int rank, const Value& sentence, const Value& shorter) {
    if (!sentence.is_null()) pieces_.push_back({sentence, rank, shorter});
}

void Sentences::remove(const Value& sentence) {
    std::erase_if(pieces_, [&](const Piece& piece) { return piece.said == sentence; });
}

Value::Array Sentences::take() {
    while (!pieces_.empty()) {
        const auto last = std::ranges::max_element(pieces_, {}, &Piece::rank);
        const int most = last->rank >= rank_of_extras ? std::min(most_words_, usual_words) : most_words_;
        if (last->rank == 0 || total() <= most) break;
        if (last->shorter.is_null())
            pieces_.erase(last);
        else
            *last = {last->shorter, 0, {}};
    }
    Value::Array said;
    for (Piece& piece : pieces_) said.push_back(std::move(piece.said));
    return said;
}

int Sentences::total() const {
    int sum = 0;
    for (const Piece& piece : pieces_) sum += words_in(piece.said);
    return sum;
}

}  // namespace fourcast::reasons
