// Many games at once, for agents that learn: one call plays a move on every board and shows all boards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "board/position.hpp"

namespace fourcast {

/// Games on boards of one size. The agent plays both sides, or against an opponent that plays any open
/// column. What happens depends on the seed and the actions only.
///
/// A board that was over is empty again after the next step, whatever its action: the mode that
/// Gymnasium calls "next step".
class Batch {
  public:
    /// Whom the agent plays, and who starts. Without an opponent the agent always does.
    enum class Opponent { none, random };
    enum class Start { agent, opponent, any };
    struct Options {
        std::size_t boards = 1;
        int width = 7;
        int height = 6;
        Opponent opponent = Opponent::none;
        Start start = Start::agent;
    };

    /// What a step or a reset shows, one after the other for all boards.
    struct View {
        std::int8_t* observations;  // height x width x 2, top row first: the side to act, the other side
        std::int8_t* masks;         // width: 1 for open columns, all 0 if the game is over
    };

    virtual ~Batch() = default;

    const Options& options() const { return options_; }

    /// Begin all games again.
    virtual void reset(u64 seed, const View& view) = 0;
    /// Play an action on each board; anything but an open column loses. The reward of the side that
    /// acted is 1, 0 or -1.
    virtual void step(const std::int64_t* actions, const View& view, double* rewards,
                      bool* terminations) = 0;

    static std::unique_ptr<Batch> make(const Options& options);

  protected:
    explicit Batch(const Options& options) : options_(options) {}

    Options options_;
};

}  // namespace fourcast
