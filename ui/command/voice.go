package command

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"marvin/messages"
)

// The maximum and default durations of a recording, in seconds.
const (
	longest = 120
	usual   = 5
)

// voice executes /voice, which records speech and sends the transcript as a prompt.
func (e *Engine) voice(text string) {
	if e.Voice == nil {
		e.warn("voice input is not available: this Marvin was built without it. Type the prompt instead.")
		return
	}
	seconds := usual
	if text != "" {
		number, err := strconv.Atoi(text)
		if err != nil || number < 1 || number > longest {
			e.warn(fmt.Sprintf("Usage: /voice [SECONDS] records a prompt. SECONDS is from 1 to %d; the default is %d.", longest, usual))
			return
		}
		seconds = number
	}
	if e.CheckVoice != nil {
		if err := e.CheckVoice(); err != nil {
			e.warn("voice input is not available: " + err.Error())
			return
		}
	}
	e.say(fmt.Sprintf("🎤 Speak now: %s.", messages.Counted(seconds, "second")))
	e.runOutside("listen", func(ctx context.Context) func() {
		heard, err := e.Voice(ctx, seconds)
		return func() {
			switch heard = strings.TrimSpace(heard); {
			case ctx.Err() != nil && heard == "":
				e.say("Not recorded.")
			case err != nil:
				e.warn("voice input is not available: " + err.Error())
			case heard == "":
				e.warn("Nothing was heard. Try again, or type the prompt.")
			default:
				send(e, messages.Ask(messages.NewAuthored(messages.ByModel, heard, ""))) // a model transcribed the speech
			}
		}
	})
}
