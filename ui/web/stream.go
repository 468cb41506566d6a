package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"marvin/messages"
	"marvin/ui/internal/beside"
)

const (
	pace     = 40 * time.Millisecond // minimum time between two patches of a page
	mostPace = 2 * time.Second       // maximum time between two patches of a page that takes a long time to render
	beat     = 15 * time.Second      // interval of keep-alives and of access checks
	often    = time.Second           // time between two reads of the list of running conversations
)

// patch is one update of a page. The page copies Stream into its requests.
type patch struct {
	Reset  bool     `json:"reset,omitempty"` // whether the page removes the old content first
	Stream string   `json:"stream,omitempty"`
	Put    []change `json:"put,omitempty"`
	Drop   []string `json:"drop,omitempty"`
}

// change is a new or changed part.
type change struct {
	In   string `json:"in"`
	ID   string `json:"id"`
	HTML string `json:"html"`
}

// sender writes the events of one page.
type sender struct {
	w     http.ResponseWriter
	now   func() time.Time
	id    string            // id of the stream
	begun bool              // the first patch has been sent
	had   map[string]string // HTML of each part on the page, by id
	order []string
}

// newSender starts a stream of events.
func newSender(w http.ResponseWriter, now func() time.Time) *sender {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	return &sender{w: w, now: now, id: token(), had: map[string]string{}}
}

// sendChanges sends the parts that changed since the last call.
func (s *sender) sendChanges(parts []part) error {
	update := patch{}
	if !s.begun {
		update.Reset, update.Stream, s.begun = true, s.id, true
	}
	now := make(map[string]string, len(parts))
	order := make([]string, 0, len(parts))
	for _, one := range parts {
		if had, known := s.had[one.ID]; !known || had != one.HTML {
			update.Put = append(update.Put, change(one))
		}
		now[one.ID] = one.HTML
		order = append(order, one.ID)
	}
	for _, id := range s.order {
		if _, stays := now[id]; !stays {
			update.Drop = append(update.Drop, id)
		}
	}
	s.had, s.order = now, order
	if !update.Reset && len(update.Put) == 0 && len(update.Drop) == 0 {
		return nil
	}
	text, err := json.Marshal(update)
	if err != nil {
		return err
	}
	return s.write("event: patch\ndata: " + string(text) + "\n\n")
}

func (s *sender) write(text string) error {
	control := http.NewResponseController(s.w)
	if err := control.SetWriteDeadline(s.now().Add(writeTime)); err != nil {
		return err
	}
	if _, err := fmt.Fprint(s.w, text); err != nil {
		return err
	}
	return control.Flush()
}

// endStream ends a page's stream. If err is errGone, endStream informs the page that the device was
// revoked. A new write deadline allows the server to complete the reply.
func (s *sender) endStream(err error) {
	if errors.Is(err, errGone) {
		_ = s.write("event: gone\ndata: {}\n\n") // the browser may be gone
	}
	_ = http.NewResponseController(s.w).SetWriteDeadline(s.now().Add(writeTime)) // the browser may be gone
}

// streamConversation sends a conversation to a page until the conversation ends or the page is
// closed.
func (s *Server) streamConversation(ctx context.Context, out *sender, window Window, name string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	batches := beside.New().Follow(ctx, window)
	beats := time.NewTicker(beat)
	defer beats.Stop()
	shown, last, due := &view{name: name}, time.Time{}, (<-chan time.Time)(nil)
	flush := func() error {
		begun := s.now()
		err := out.sendChanges(shown.parts())
		// A slow patch delays the next patch, to leave time for other work.
		last, due = s.now(), nil
		last = last.Add(min(3*last.Sub(begun), mostPace))
		return err
	}
	for {
		var err error
		select {
		case batch, open := <-batches:
			if !open {
				return nil
			}
			silent := shown.state.LastText() == ""
			for _, envelope := range batch {
				shown.applyEvent(envelope)
			}
			first := silent && shown.state.LastText() != ""
			switch wait := pace - s.now().Sub(last); {
			case shown.state.Closed:
				if err := flush(); err != nil {
					return err
				}
				return out.write("event: end\ndata: {}\n\n")
			case wait <= 0 || first: // show the first word at once
				err = flush()
			case due == nil:
				due = time.After(wait)
			}
		case <-due:
			err = flush()
		case <-beats.C:
			if !accessOf(ctx).valid() {
				return errGone
			}
			err = out.write(": \n\n")
		case <-ctx.Done():
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// streamList sends the running conversations to a page until the page is closed.
func (s *Server) streamList(ctx context.Context, out *sender) error {
	looks := time.NewTicker(often)
	defer looks.Stop()
	spoke := s.now()
	for {
		live, err := s.listRunning(ctx)
		if err != nil {
			return err
		}
		if err := out.sendChanges(listParts(live, s.now())); err != nil {
			return err
		}
		if s.now().Sub(spoke) > beat {
			if !accessOf(ctx).valid() {
				return errGone
			}
			spoke = s.now()
			if err := out.write(": \n\n"); err != nil {
				return err
			}
		}
		select {
		case <-looks.C:
		case <-ctx.Done():
			return nil
		}
	}
}

var errGone = errors.New("the device was revoked")

// listRunning returns the running conversations. All pages share the list, which can be up to half
// a second old.
func (s *Server) listRunning(ctx context.Context) ([]messages.Live, error) {
	s.looking.Lock()
	defer s.looking.Unlock()
	if s.now().Sub(s.looked) < often/2 {
		return s.seen, nil
	}
	live, err := s.host.ListRunning(ctx)
	if err == nil {
		s.seen, s.looked = live, s.now()
	}
	return live, err
}
