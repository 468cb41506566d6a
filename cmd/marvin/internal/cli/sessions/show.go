package sessions

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"marvin/actors"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/messages"
	"marvin/persistence/sessions"
	"marvin/tools"
	"marvin/ui/termsafe"
	"marvin/ui/transcript"
	"marvin/ui/view"
)

// TurnJSON is the JSON form of a turn, as documented in docs/sessions.md.
type TurnJSON struct {
	Time     time.Time        `json:"time"`
	Outcome  messages.Outcome `json:"outcome"`
	Error    string           `json:"error,omitempty"`
	Messages []MessageJSON    `json:"messages"`
}

// MessageJSON is the JSON form of a user, assistant or tool message.
type MessageJSON struct {
	Role   messages.Role   `json:"role"`
	Text   string          `json:"text"`
	Tool   string          `json:"tool,omitempty"`
	Title  string          `json:"title,omitempty"`
	Status messages.Status `json:"status,omitempty"`

	Time     time.Time           `json:"time,omitzero"`
	Model    string              `json:"model,omitempty"`
	Thinking string              `json:"thinking,omitempty"`
	Usage    *messages.RoundTrip `json:"usage,omitempty"`
	Pictures []string            `json:"pictures,omitempty"`
	Source   messages.Source     `json:"source,omitempty"`
}

func NewTurnJSON(turn messages.Recalled) TurnJSON {
	told := TurnJSON{Time: turn.At, Outcome: turn.Outcome, Error: turn.Err}
	if turn.Prompt != "" {
		told.Messages = append(told.Messages, MessageJSON{Role: messages.User, Text: turn.Prompt, Pictures: turn.Shown})
	}
	for _, step := range turn.Steps {
		message := MessageJSON{Role: messages.Assistant, Text: step.Text, Time: step.At, Model: step.Model, Thinking: step.Thinking, Pictures: step.Pictures, Source: step.Source}
		if step.Usage != (messages.RoundTrip{}) {
			message.Usage = &step.Usage
		}
		switch {
		case step.Tool != "":
			message.Role, message.Tool, message.Title, message.Status = messages.Tool, step.Tool, step.Title, step.Status
		case step.Said:
			message.Role = messages.User
		}
		told.Messages = append(told.Messages, message)
	}
	return told
}

// ReadTranscript reads the transcript of a conversation.
func (a Archive) ReadTranscript(id string) (actors.Transcript, error) {
	info, err := a.findNamed(id)
	if err != nil {
		return actors.Transcript{}, err
	}
	return actors.ReadTranscript(a.Home, info, extensions.NewRegistry(a.Home, tools.NewHTTPClient(nil), a.World.Now))
}

func (a Archive) show(id string) error {
	told, err := a.ReadTranscript(id)
	if err != nil {
		return err
	}
	for _, problem := range told.Problems {
		fmt.Fprintln(a.World.Stderr, "warning:", termsafe.Line(problem))
	}
	if a.json {
		shown := struct {
			listed
			Turns []TurnJSON `json:"turns"`
		}{NewRow(told.Info), make([]TurnJSON, 0, len(told.Turns))}
		for _, turn := range told.Turns {
			shown.Turns = append(shown.Turns, NewTurnJSON(turn))
		}
		return a.write(shown)
	}
	fmt.Fprintf(a.World.Stdout, "%s\n\n", Row(told.Info, 0))
	content, err := transcript.Format("show.md", "", steps(told))
	if err != nil {
		return err
	}
	if _, err := a.World.Stdout.Write(content); err != nil {
		return cli.OutputError(err)
	}
	return nil
}

func steps(told actors.Transcript) (all []transcript.Step) {
	for _, turn := range told.Turns {
		all = append(all, transcript.Recalled(turn)...)
	}
	return all
}

// exported is the JSON output of an export.
type exported struct {
	ID    string `json:"id"`
	Path  string `json:"path"`
	Turns int    `json:"turns"`
}

func (a Archive) export(id, file string) error {
	if !transcript.Writes(file) {
		return fmt.Errorf("the file name %s has no known extension; use %s", file, transcript.Forms)
	}
	told, err := a.ReadTranscript(id)
	if err != nil {
		return err
	}
	content, err := transcript.Format(file, told.Info.DisplayName(), steps(told))
	if err != nil {
		return err
	}
	path, err := cli.WriteNew(a.World, file, a.Dir, content)
	if err != nil {
		return err
	}
	if a.json {
		return a.write(exported{ID: told.Info.ID, Path: path, Turns: len(told.Turns)})
	}
	turns := "1 turn"
	if len(told.Turns) != 1 {
		turns = fmt.Sprint(len(told.Turns), " turns")
	}
	fmt.Fprintf(a.World.Stdout, "Exported %s to %s\n", turns, path)
	return nil
}

// place is a search result.
type place struct {
	listed
	Role messages.Role `json:"role"` // "title" if only the title contains the words
	Time time.Time     `json:"time"`
	Line string        `json:"line"`
}

// search writes the last match in each conversation to standard output.
func (a Archive) search(asked searchCommand) error {
	list := a.list(asked.Here)
	words := strings.Join(asked.Args.Words, " ")
	if len(strings.Fields(words)) == 0 {
		return errors.New("there is nothing to search for; example: marvin sessions search exponential backoff")
	}
	places, err := a.places(list, words)
	if a.json {
		return errors.Join(a.write(places), err)
	}
	if len(places) == 0 && err == nil {
		fmt.Fprintf(a.World.Stderr, "%q occurs in no conversation (%d searched).\n", words, len(list))
	}
	width := widthOf(a.World)
	for _, found := range places {
		line := "    " + map[messages.Role]string{messages.User: "you: ", messages.Assistant: "Marvin: "}[found.Role] + excerpt(found.Line, words)
		if width > 0 {
			line = view.Cut(line, width)
		}
		fmt.Fprintf(a.World.Stdout, "%s\n%s\n", Row(found.info(), width), line)
	}
	return err
}

// places returns the conversations that contain the given words. The results keep the order of the
// conversations.
func (a Archive) places(list []sessions.Info, words string) ([]place, error) {
	found, problems := make([]*place, len(list)), make([]error, len(list))
	meter := cli.NewMeter(a.World, "Looking through conversations")
	defer meter.End()
	next := func(at int) sessions.Info {
		meter.Step(len(list))
		return list[at]
	}
	a.SearchAll(context.Background(), len(list), words, next, func(at int, hit actors.SearchResult, ok bool, err error) {
		if problems[at] = err; ok {
			found[at] = &place{listed: NewRow(list[at]), Role: hit.Role, Time: hit.At, Line: hit.Line}
		}
	})
	places := []place{} // encodes as [], not null
	for at, info := range list {
		switch {
		case found[at] != nil:
			places = append(places, *found[at])
		case hasAll(info.Title+" "+info.Name, words):
			places = append(places, place{listed: NewRow(info), Role: "title", Time: info.Updated, Line: info.DisplayName()})
		}
	}
	return places, errors.Join(problems...)
}

// SearchAll searches the conversations that info returns for the indexes below count. It uses all
// cores, so the callbacks must be safe for concurrent use. It passes the result of each search, and
// each error, to the callback report. Conversations that the index rules out are not reported. If
// ctx is done, SearchAll skips the remaining conversations.
func (a Archive) SearchAll(ctx context.Context, count int, words string, info func(at int) sessions.Info, report func(at int, hit actors.SearchResult, ok bool, err error)) {
	query := actors.NewQuery(a.Home, words)
	var next atomic.Int64
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for at := int(next.Add(1)) - 1; at < count && ctx.Err() == nil; at = int(next.Add(1)) - 1 {
				one := info(at)
				may, err := query.MayContain(one)
				if err != nil {
					report(at, actors.SearchResult{}, false, err)
				}
				if may {
					hit, ok, err := query.SearchSession(one)
					report(at, hit, ok, err)
				}
			}
		})
	}
	all.Wait()
	_ = query.Close() // if new index entries are lost, the next search creates them again
}

func (l listed) info() sessions.Info {
	return sessions.Info{
		Header: sessions.Header{ID: l.ID, Dir: l.Dir}, Updated: l.Updated,
		About: sessions.About{Name: l.Name, Title: l.Title, Branch: l.Branch, Turns: l.Turns, Cost: l.Cost},
	}
}

// lineLength is the maximum length of an excerpt, in bytes, without ellipses.
const lineLength = 160

// excerpt returns the part of a line around the first match.
func excerpt(line, words string) string {
	line = termsafe.Line(line)
	if len(line) <= lineLength {
		return line
	}
	at := max(0, strings.Index(strings.ToLower(line), strings.ToLower(strings.Fields(words)[0]))-lineLength/3)
	// Keep the excerpt inside the line, even if ToLower changed the length.
	at = min(at, len(line)-lineLength)
	piece := strings.ToValidUTF8(line[at:at+lineLength], "")
	if at > 0 {
		piece = "…" + piece
	}
	if at+lineLength < len(line) {
		piece += "…"
	}
	return piece
}
