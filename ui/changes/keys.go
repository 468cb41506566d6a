package changes

import (
	"cmp"
	"strings"

	"marvin/messages"
	"marvin/ui/lineedit"
)

// Key handles the named key. An empty name means the key for the given letter.
func (p *Page) Key(name string, letter rune) KeyResult {
	switch name {
	case "Ctrl-Q", "Ctrl-Z", "Ctrl-L":
		return KeyResult{Passes: true}
	}
	if p.Remark != nil {
		return p.remarkKey(name, letter)
	}
	name = cmp.Or(name, string(letter))
	switch name {
	case "Up", "Shift-Tab", "k", "p", "Ctrl-P":
		p.move(-1)
	case "Down", "Tab", "j", "n", "Ctrl-N":
		p.move(1)
	case "Home", "g":
		p.move(-len(p.parts))
	case "End", "G":
		p.move(len(p.parts))
	case "PgUp":
		p.Scroll(-max(p.fit-1, 1))
	case "PgDn", " ":
		p.Scroll(max(p.fit-1, 1))
	case "u", "Delete":
		return p.takeBack()
	case "Enter", "r":
		if len(p.parts) > 0 {
			p.Remark, p.follows = &lineedit.Editor{}, true
		}
	case "Esc", "q", "Ctrl-C", "Ctrl-G", "Ctrl-D":
		return KeyResult{Closes: true}
	default:
		return KeyResult{Says: "u undoes this part, Enter sends it to the model with your remark, Esc closes"}
	}
	return KeyResult{}
}

func (p *Page) move(parts int) {
	p.at, p.follows = max(min(p.at+parts, len(p.parts)-1), 0), true
}

func (p *Page) takeBack() KeyResult {
	if len(p.parts) == 0 {
		return KeyResult{}
	}
	at := p.parts[p.at]
	file := p.all.Files[at.file]
	if file.Refused != "" {
		return KeyResult{Says: "Nothing was taken back: " + file.Refused}
	}
	return KeyResult{Op: messages.TakeBack{Path: file.Path, Hunk: at.hunk + 1, Seen: file.Seen}}
}

// remarkKey handles a key while the user types a remark.
func (p *Page) remarkKey(name string, letter rune) KeyResult {
	line := p.Remark
	switch name {
	case "Enter":
		if text := strings.TrimSpace(line.Text()); text != "" {
			return KeyResult{Prompt: p.quotePart(text), Closes: true}
		}
	case "Esc", "Ctrl-C", "Ctrl-G":
		p.Remark = nil
	default:
		line.Key(name, letter)
	}
	return KeyResult{}
}

// quotePart returns a prompt with the part at the cursor, followed by the remark. Only the remark
// counts as typed by the user, because typed text can grant access to hosts.
func (p *Page) quotePart(remark string) *messages.Prompt {
	at := p.parts[p.at]
	file := p.all.Files[at.file]
	text := file.Hunks[at.hunk]
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	quote := "About this change in " + file.Path + ":\n\n" + fence + "diff\n" + strings.TrimSuffix(text, "\n") + "\n" + fence
	prompt := messages.Ask(messages.NewAuthored(messages.ByModel, quote, ""), messages.NewAuthored(messages.Typed, remark, ""))
	return &prompt
}
