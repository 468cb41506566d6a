package disclosure

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
	"marvin/providers"
	"marvin/tools/toolbox"
)

// This file lists what a conversation sent: the models that were asked, with their hosts; the files
// that each provider received for the first time; and the tool calls that contacted the network.

// SentTurn lists the data that was sent in a turn.
type SentTurn struct {
	Turn   int         `json:"turn"` // counted from 1; 0 means before the first prompt
	At     time.Time   `json:"time,omitzero"`
	Prompt string      `json:"prompt"`
	Models []SentModel `json:"models"`
	Calls  []SentCall  `json:"calls,omitempty"`
}

// SentModel describes the requests to a model in one turn. Files lists the files and directories
// that the provider received for the first time.
type SentModel struct {
	Model    string   `json:"model"`
	For      string   `json:"for,omitempty"`  // the purpose of the requests; "" for answers to the prompt
	Host     string   `json:"host,omitempty"` // [HostNotRecorded] if unknown; "" if Marvin ran the model
	Requests int      `json:"requests"`
	Input    int      `json:"input_tokens"`
	Files    []string `json:"files,omitempty"`
}

// HostNotRecorded represents an unknown host. Older versions of Marvin logged only the provider,
// and a provider's host can change.
const HostNotRecorded = "not recorded"

// SentCall is a tool call that contacted the network.
type SentCall = sessionlog.SentCall

// ReadSent reads a stored conversation and returns the data sent in each turn.
func ReadSent(home *persistence.Home, info sessions.Info, registry *toolbox.Registry) ([]SentTurn, error) {
	content, err := sessionlog.ReadTo(sessions.New(home), info, 0)
	if err != nil {
		return nil, err
	}
	count := SentCount{Registry: registry, Told: map[string]map[string]bool{}}
	for _, turn := range content.Turns {
		count.turn(turn.At, turn.Prompt, slices.Concat(conv.DroppedMessages(turn), turn.Messages), turn.Sent)
	}
	return count.Turns, nil
}

// SentCount collects the sent data of a conversation.
type SentCount struct {
	Registry *toolbox.Registry
	Turns    []SentTurn
	places   []string                   // the sources of all messages so far
	Told     map[string]map[string]bool // the places whose text each provider received
}

func (s *SentCount) turn(at time.Time, prompt string, said []messages.Message, beside []sessionlog.Sent) {
	turn := SentTurn{Turn: len(s.Turns) + 1, At: at, Prompt: prompt, Models: []SentModel{}}
	for _, message := range said {
		if message.Role == messages.Assistant && message.Model != "" {
			s.addRequests(&turn, SentModel{Model: message.Model, Host: message.Host, Requests: 1, Input: message.Usage.Input}, s.places)
		}
		for _, call := range message.Calls {
			if to := Destination(s.Registry, call); to != "" {
				turn.addCall(SentCall{Tool: call.Name, To: to})
			}
		}
		s.places = append(s.places, message.Origin.Places...)
	}
	for _, sent := range beside {
		s.addRequests(&turn, SentModel{Model: sent.Model, For: sent.For, Host: sent.Host, Requests: sent.Requests, Input: sent.Input}, sent.Places)
		for _, call := range sent.Calls {
			turn.addCall(call)
		}
	}
	s.Turns = append(s.Turns, turn)
}

// Collect adds everything that an unstored conversation sent. A request between two turns is listed
// with the earlier turn.
func (s *SentCount) Collect(committed []messages.Message, beside []sessionlog.Sent) {
	begin, done := 0, 0
	if len(committed) == 0 && len(beside) > 0 {
		s.turn(beside[0].At, "(before the first prompt)", nil, beside)
		s.Turns[0].Turn = 0
	}
	for at := range committed {
		next, last := at+1, at+1 == len(committed)
		if !last && (committed[next].Role != messages.User || committed[next].Origin.From != messages.FromPerson) {
			continue
		}
		until := len(beside)
		if !last {
			until = done
			for until < len(beside) && beside[until].At.Before(committed[next].At) {
				until++
			}
		}
		s.turn(committed[begin].At, committed[begin].Text, committed[begin:next], beside[done:until])
		begin, done = next, until
	}
}

func (t *SentTurn) addCall(call SentCall) {
	if !slices.Contains(t.Calls, call) {
		t.Calls = append(t.Calls, call)
	}
}

// addRequests adds requests to a turn. Each place is listed only once per provider.
func (s *SentCount) addRequests(turn *SentTurn, more SentModel, places []string) {
	provider, _, _ := strings.Cut(more.Model, "/")
	if more.Host == "" && provider != providers.Offline {
		more.Host = HostNotRecorded
	}
	at := slices.IndexFunc(turn.Models, func(one SentModel) bool {
		return one.Model == more.Model && one.For == more.For && one.Host == more.Host
	})
	if at < 0 {
		at = len(turn.Models)
		turn.Models = append(turn.Models, SentModel{Model: more.Model, For: more.For, Host: more.Host})
	}
	one := &turn.Models[at]
	one.Requests += more.Requests
	one.Input += more.Input
	if s.Told[provider] == nil {
		s.Told[provider] = map[string]bool{}
	}
	for _, place := range places {
		if !s.Told[provider][place] {
			s.Told[provider][place] = true
			one.Files = append(one.Files, place)
		}
	}
	slices.Sort(one.Files)
}

var hosts = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`https?://([^/\s"'\\?#]+)`) })

// Destination returns the host of the first URL in the call's arguments. Without a URL, it returns
// the tool's service. It returns "" if the call did not contact the network.
func Destination(registry *toolbox.Registry, call messages.ToolCall) string {
	tool, known := registry.Lookup(call.Name)
	found := hosts().FindStringSubmatch(string(call.Args))
	switch {
	case known && !tool.Networked():
		return ""
	case found != nil:
		return found[1]
	case known:
		return cmp.Or(tool.Service, "the network")
	}
	return ""
}

// SentTable formats the sent data as lines of text.
func SentTable(turns []SentTurn) string {
	var text strings.Builder
	for _, turn := range turns {
		fmt.Fprintf(&text, "%d. %s\n", turn.Turn, FirstLine(turn.Prompt, 60))
		for _, model := range turn.Models {
			where := "to " + model.Host
			switch model.Host {
			case "":
				where = "stayed here"
			case HostNotRecorded:
				where = "host not recorded"
			}
			fmt.Fprintf(&text, "   %s, %s: %s, %s", model.Model, where, messages.Counted(model.Requests, "request"), messages.Counted(model.Input, "token"))
			if model.For != "" {
				fmt.Fprintf(&text, " (%s)", model.For)
			}
			text.WriteString("\n")
			for _, file := range model.Files {
				fmt.Fprintf(&text, "     %s\n", file)
			}
		}
		for _, call := range turn.Calls {
			fmt.Fprintf(&text, "   %s asked %s\n", call.Tool, call.To)
		}
	}
	if text.Len() == 0 {
		return "Nothing was sent yet."
	}
	return text.String() + "Each file is listed only once per provider, although later requests include it again. Not listed: data sent by commands, requests made by background reviews, and failed requests."
}

// FirstLine returns the first line of text, cut to at most the given number of characters.
func FirstLine(text string, limit int) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if runes := []rune(line); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return line
}
