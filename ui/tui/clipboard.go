package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/view"
)

// clipboard is responsible for copying text.
type clipboard struct {
	screen  tcell.Screen
	program func(string) (way string, err error) // may be nil
	view    *view.View
	look    *searchState
	say     func(text string, during time.Duration)
}

// maxClipboard is the maximum length, in bytes, of text that is copied with OSC 52. Terminals
// silently drop longer text.
const maxClipboard = 74_000

// put sends text to the terminal and to a clipboard program. Over ssh, the program reaches only the
// clipboard of the remote machine.
func (c clipboard) put(text string) (way string, err error) {
	small := len(text) <= maxClipboard
	if small {
		c.screen.SetClipboard([]byte(text))
	}
	if c.program != nil {
		if way, err = c.program(text); err == nil {
			return way, nil
		}
	}
	if small {
		return "by the terminal, if it allows that", nil
	}
	if err == nil {
		err = fmt.Errorf("no program for the clipboard was found")
	}
	return "", fmt.Errorf("copy %d bytes: %w; install wl-clipboard, xclip or xsel, or use /export", len(text), err)
}

// copyBlock copies the focused block, or the last answer if no block has the focus.
func (c clipboard) copyBlock() {
	block := c.look.block()
	if block == nil {
		c.say("There is nothing to copy yet", canvas.HintTime)
		return
	}
	c.copyText("It is on the clipboard", strings.TrimRight(block.Text(), "\n"))
}

// copyCode copies the last code block. Each repeated call copies the preceding code block.
func (c clipboard) copyCode() {
	block := c.look.block()
	var codes []string
	if block != nil {
		codes = block.Codes()
	}
	if len(codes) == 0 {
		c.say("The answer has no code block", canvas.HintTime)
		return
	}
	if c.look.codeOf != block || c.look.codeNext <= 0 {
		c.look.codeOf, c.look.codeNext = block, len(codes)
	}
	c.look.codeNext--
	c.copyText(fmt.Sprintf("Code block %d of %d is on the clipboard", c.look.codeNext+1, len(codes)), strings.TrimRight(codes[c.look.codeNext], "\n"))
}

// copyText copies text to the clipboard. It shows the given message, or the error if copying fails.
func (c clipboard) copyText(message, text string) {
	way, err := c.put(text)
	if err != nil {
		c.view.AddNotice(messages.Problem, err.Error())
		return
	}
	c.say(fmt.Sprintf("%s (%s, %s)", message, messages.Counted(len([]rune(text)), "character"), way), canvas.HintTime)
}
