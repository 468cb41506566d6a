package lineedit

// killDepth is the maximum number of kills that are stored.
const killDepth = 20

// KillToEnd deletes the text from the cursor to the end of the line. If the cursor is at the end of
// the line, KillToEnd deletes the line break.
func (e *Editor) KillToEnd() {
	to := e.lineEnd()
	if to == e.cursor {
		to = min(to+1, len(e.buffer))
	}
	e.kill(e.cursor, to)
}

// KillToStart deletes the text from the start of the line to the cursor.
func (e *Editor) KillToStart() { e.kill(e.lineStart(), e.cursor) }

// KillWordLeft deletes the word before the cursor.
func (e *Editor) KillWordLeft() { e.kill(e.wordLeft(), e.cursor) }

// KillWordRight deletes the word after the cursor.
func (e *Editor) KillWordRight() { e.kill(e.cursor, e.wordRight()) }

// kill deletes text and stores it for [Editor.Yank]. Consecutive kills are joined, as in shells.
func (e *Editor) kill(from, to int) {
	if from == to {
		return
	}
	text := textOf(e.buffer[from:to])
	switch {
	case e.last != killing || len(e.kills) == 0:
		e.kills = append(e.kills, text)
		if len(e.kills) > killDepth {
			e.kills = e.kills[1:]
		}
	case from < e.cursor:
		e.kills[len(e.kills)-1] = text + e.kills[len(e.kills)-1]
	default:
		e.kills[len(e.kills)-1] += text
	}
	e.change(killing, from, to, nil)
}

// Yank inserts the last killed text.
func (e *Editor) Yank() {
	e.nextKill = len(e.kills) - 1
	e.yank(e.cursor, e.cursor)
}

// YankOlder replaces just-yanked text with the next older killed text. After the oldest text, it
// starts again with the newest.
func (e *Editor) YankOlder() {
	if e.last != yanking || len(e.kills) < 2 {
		return
	}
	e.nextKill = (e.nextKill + len(e.kills) - 1) % len(e.kills)
	e.yank(e.yanked[0], e.yanked[1])
}

func (e *Editor) yank(from, to int) {
	if len(e.kills) == 0 {
		return
	}
	e.change(other, from, to, pasted(e.kills[e.nextKill]))
	e.last, e.yanked = yanking, [2]int{min(from, e.cursor), e.cursor}
}
