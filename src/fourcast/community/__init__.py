"""Connect Four on the issues of a GitHub repository: an issue is opened, the board on the page moves.

Each step happens in one place:

    issue title -> command -> judge -> ledger -> page -> git push -> reply

| module | what it knows |
|-|-|
| `command` | the grammar of titles |
| `config` | the owner's settings |
| `entries`, `tally`, `ledger`, `files` | every move ever played; everything else follows from it |
| `judge` | whether a move may be played, and if not, why |
| `markup`, `page`, `how_it_works` | the files that people see |
| `reply` | the comments on issues |
| `issues`, `git`, `github` | what an issue is; how to reach the repository and its issues |
| `run` | one run: every open issue, oldest first, each applied once |
| `setup`, `simulate` | the owner's side: switch it on, try it out |

`docs/community.md` is the guide for owners.
"""
