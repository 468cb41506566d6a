package lineedit

// undoDepth is the maximum number of undo steps.
const undoDepth = 200

// revised is a draft with undo steps.
type revised struct {
	draft
	undone, redo []draft
	last         action // kind of the last change
}

// action is a kind of change. Consecutive changes of the same kind form one undo step, but each
// change of kind "other" forms its own step.
type action uint8

const (
	none action = iota
	typing
	rubbing
	killing
	yanking
	completing
	other
)

// move puts the cursor at the given position and ends the current undo step, so text that is typed
// afterwards forms a new step.
func (r *revised) move(to int) {
	r.cursor = max(0, min(to, len(r.buffer)))
	r.last = none
}

// change is the only method that edits the buffer. Undo and Redo restore earlier buffers.
func (r *revised) change(kind action, from, to int, with []element) {
	if from == to && len(with) == 0 {
		return
	}
	if kind != r.last || kind == other || len(r.undone) == 0 {
		r.undone = append(r.undone, r.draft)
		if len(r.undone) > undoDepth {
			r.undone = r.undone[1:]
		}
	}
	r.redo, r.last = nil, kind
	r.buffer, r.cursor = replace(r.buffer, from, to, with)
}

// Undo undoes the last change.
func (r *revised) Undo() { r.undone, r.redo = r.restore(r.undone, r.redo) }

// Redo reapplies the change that was undone last.
func (r *revised) Redo() { r.redo, r.undone = r.restore(r.redo, r.undone) }

func (r *revised) restore(from, to []draft) (rest, grown []draft) {
	if len(from) == 0 {
		return from, to
	}
	to = append(to, r.draft)
	r.draft, r.last = from[len(from)-1], none
	return from[:len(from)-1], to
}
