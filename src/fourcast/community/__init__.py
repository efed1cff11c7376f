"""Connect Four on the issues of a GitHub repository: anyone opens an issue, the board on its page moves.

One thing happens after the other, and each in one place:

    issue title -> command -> judge -> ledger -> page -> git push -> reply

| module | what it knows |
|-|-|
| `command` | what a title says |
| `config` | what the owner has chosen |
| `ledger` | every move ever played; all else follows from it |
| `judge` | whether a move may be played, and if not, why |
| `page` | the README's part, the board, the archive: all that is derived from the ledger |
| `reply` | what players are told |
| `git`, `github` | how to reach the repository and its issues |
| `run` | one run: every open issue, oldest first, each applied once |
| `setup`, `simulate` | the owner's side: switch it on, try it out |

`docs/community.md` takes an owner through it.
"""
