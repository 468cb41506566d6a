package undo

import (
	"sync/atomic"

	"marvin/messages/lists"
	"marvin/persistence/undolog"
	"marvin/tools"
)

// Keeper records the changes made by one tool call. It implements [tools.Keeper].
type Keeper struct {
	Journal          func() *undolog.Journal // called only if there is something to record
	Turn, Call, Tool string
	Problem          func(error) // called if a change cannot be recorded
	kept             atomic.Bool
}

// Keep implements [tools.Keeper].
func (k *Keeper) Keep(changes []tools.FileChange) (failed func()) {
	k.kept.Store(true)
	records, before := make([]undolog.Record, len(changes)), make([][]byte, len(changes))
	for i, one := range changes {
		records[i] = undolog.Record{
			Kind: undolog.Write, Turn: k.Turn, Call: k.Call, Tool: k.Tool, Dir: one.Dir, Name: one.Name, Path: one.Path,
			BeforeMode: one.BeforeMode, After: hash(one.After), AfterMode: one.AfterMode, Made: one.Made,
		}
		before[i] = one.Before
	}
	journal := k.Journal()
	k.tell(journal.Add(records, before))
	return func() {
		void := undolog.Record{Kind: undolog.Void, Turn: k.Turn, Call: k.Call, Of: lists.Map(records, func(one undolog.Record) int64 { return one.ID })}
		k.tell(journal.Add([]undolog.Record{void}, [][]byte{nil}))
	}
}

// RecordCall records a call with its inverse, or with the reason why the call cannot be undone. If
// [Keeper.Keep] has recorded file changes, a call without an inverse is not recorded.
func (k *Keeper) RecordCall(title string, inverse *tools.Inverse) {
	record := undolog.Record{Kind: undolog.KindOther, Turn: k.Turn, Call: k.Call, Tool: k.Tool, Title: title}
	switch {
	case inverse == nil && k.kept.Load():
		return
	case inverse == nil:
		record.Lost = whyIrreversible(k.Tool)
	case inverse.Tool == "":
		record.Lost = inverse.Lasts
	default:
		record.Kind, record.Back = undolog.Call, &undolog.Reversal{Tool: inverse.Tool, Args: inverse.Args}
	}
	k.tell(k.Journal().Add([]undolog.Record{record}, [][]byte{nil}))
}

func (k *Keeper) tell(err error) {
	if err != nil && k.Problem != nil {
		k.Problem(err)
	}
}
