package plain

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/termsafe"
)

// Screen is one conversation in lines.
type Screen struct {
	Client     ui.Client
	Stdin      io.Reader
	Stdout     io.Writer
	Interrupts <-chan os.Signal // Ctrl-C: cancels the turn, or leaves when idle
	First      string           // a prompt to begin with; "" for none

	busy     bool
	asked    []messages.Asked // open questions, the first one is on the screen
	lineOpen bool             // the cursor is behind text
	leaving  bool
	closed   bool
}

// Run talks until the user leaves or the conversation ends.
func (s *Screen) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	lines := readLines(ctx, s.Stdin)
	batches := follow(ctx, s.Client)
	if s.First != "" {
		s.submit(s.First)
	}
	for !s.closed {
		select {
		case line, ok := <-lines:
			if !ok {
				lines = nil
				s.leave()
				continue
			}
			s.line(line)
		case batch, ok := <-batches:
			if !ok {
				return nil
			}
			for _, envelope := range batch {
				s.event(envelope.Event)
			}
		case <-s.Interrupts:
			s.interrupt()
		case <-ctx.Done():
			s.leave()
			ctx = context.Background()
		}
	}
	return nil
}

// readLines reads stdin line by line, of any length.
func readLines(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		reader := bufio.NewReader(in)
		for {
			line, err := reader.ReadString('\n')
			if line = strings.TrimRight(line, "\r\n"); line != "" || err == nil {
				select {
				case lines <- line:
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				return
			}
		}
	}()
	return lines
}

func follow(ctx context.Context, client ui.Client) <-chan []messages.Envelope {
	batches := make(chan []messages.Envelope)
	go func() {
		defer close(batches)
		for {
			batch, err := client.Next(ctx)
			if err != nil {
				return
			}
			select {
			case batches <- batch:
			case <-ctx.Done():
				return
			}
		}
	}()
	return batches
}

// line takes what was typed: an answer to an open question, a command or a prompt.
func (s *Screen) line(line string) {
	line = strings.TrimSpace(line)
	switch {
	case len(s.asked) > 0:
		s.answer(line)
	case line == "":
		s.prompt()
	case strings.EqualFold(line, "quit"), strings.EqualFold(line, "exit"):
		s.leave()
	case line == "!pro":
		s.say("[System] Usage: !pro PROMPT asks Copilot for one answer.")
		s.prompt()
	default:
		s.submit(line)
	}
}

// submit sends a prompt; !pro in front of it asks Copilot for this one.
func (s *Screen) submit(text string) {
	s.busy = true
	if forced, ok := strings.CutPrefix(text, "!pro "); ok {
		s.Client.Send(messages.Prompt{Text: strings.TrimSpace(forced), Provider: "copilot"})
		return
	}
	s.Client.Send(messages.Prompt{Text: text})
}

func (s *Screen) leave() {
	if !s.leaving {
		s.leaving = true
		s.Client.Send(messages.Quit{})
	}
}

func (s *Screen) interrupt() {
	if s.busy {
		s.Client.Send(messages.Cancel{})
		return
	}
	s.leave()
}

func (s *Screen) event(event messages.Event) {
	switch event := event.(type) {
	case messages.Opened:
		s.print(fmt.Sprintf("Marvin (%s %s), profile %s. Type a message; quit or Ctrl-D leaves, Ctrl-C cancels.\n", event.Provider, event.Model, event.Profile))
		s.prompt()
	case messages.Text:
		s.print(event.Chunk)
	case messages.ToolsCalled:
		s.say("  🔧 " + strings.Join(event.Names, ", "))
	case messages.ToolOutput:
		s.say("  " + strings.TrimSpace(event.Chunk))
	case messages.Notice:
		s.say("[System] " + event.Text)
	case messages.Compacted:
		s.say(fmt.Sprintf("[System] %d tokens became %d.", event.Before, event.After))
	case messages.Waiting:
		s.say("[System] " + event.Why)
	case messages.Asked:
		s.asked = append(s.asked, event)
		if len(s.asked) == 1 {
			s.question()
		}
	case messages.Answered:
		s.settled(event.Ask)
	case messages.TurnEnded:
		s.turnEnded(event)
	case messages.Closed:
		s.closed = true
	}
}

func (s *Screen) turnEnded(event messages.TurnEnded) {
	s.busy = false
	if event.Err != "" {
		s.say("[Error] " + event.Err)
	} else if event.Outcome == messages.Cancelled {
		s.say("[Cancelled]")
	}
	if event.Exit {
		s.leave()
		return
	}
	s.say("")
	s.prompt()
}

// question shows the oldest open question with numbered choices.
func (s *Screen) question() {
	asked := s.asked[0]
	s.say(asked.Title)
	s.say(asked.Detail)
	for i, choice := range asked.Choices {
		s.say(fmt.Sprintf("  %d. %s", i+1, choice))
	}
	s.print("Choose a number (Enter is no): ")
}

// answer takes a number or the word; anything that is not clearly a yes is a no.
func (s *Screen) answer(line string) {
	asked, choice := s.asked[0], messages.No
	for i, offered := range asked.Choices {
		if line == strconv.Itoa(i+1) || strings.EqualFold(line, string(offered)) {
			choice = offered
		}
	}
	s.Client.Send(messages.Answer{Ask: asked.Ask, Choice: choice})
}

func (s *Screen) settled(ask string) {
	for i, asked := range s.asked {
		if asked.Ask == ask {
			s.asked = append(s.asked[:i], s.asked[i+1:]...)
			if i == 0 && len(s.asked) > 0 {
				s.question()
			}
			return
		}
	}
}

func (s *Screen) prompt() {
	if !s.leaving {
		s.print("You: ")
		s.lineOpen = false // what follows may begin here: the user ends the line
	}
}

// say writes whole lines.
func (s *Screen) say(text string) {
	if s.lineOpen {
		s.print("\n")
	}
	s.print(text + "\n")
}

func (s *Screen) print(text string) {
	text = termsafe.String(text)
	if text == "" {
		return
	}
	s.lineOpen = !strings.HasSuffix(text, "\n")
	if _, err := io.WriteString(s.Stdout, text); err != nil && !errors.Is(err, os.ErrClosed) {
		s.leave()
	}
}
