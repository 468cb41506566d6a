package lineedit

// undoDepth is how many steps can be taken back.
const undoDepth = 200

// revised is a draft that remembers what it was, so that changes can be taken back.
type revised struct {
	draft
	undone, redo []draft
	last         action // what the last change was, to join those of one kind
}

// action is a kind of change; changes of one kind in a row are one step of undo.
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

// move goes to a place; typing after it is a step of undo of its own.
func (r *revised) move(to int) {
	r.cursor = max(0, min(to, len(r.buffer)))
	r.last = none
}

// change is the only writer of the buffer.
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

// Undo takes the last change back.
func (r *revised) Undo() { r.undone, r.redo = r.restore(r.undone, r.redo) }

// Redo makes it again.
func (r *revised) Redo() { r.redo, r.undone = r.restore(r.redo, r.undone) }

func (r *revised) restore(from, to []draft) (rest, grown []draft) {
	if len(from) == 0 {
		return from, to
	}
	to = append(to, r.draft)
	r.draft, r.last = from[len(from)-1], none
	return from[:len(from)-1], to
}
