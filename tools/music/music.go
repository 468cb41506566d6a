package music

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

const (
	serviceURL  = "https://musicbrainz.org/ws/2/"
	answerLimit = 8 << 20 // maximum size of a reply in bytes; a release with 100 discs needs 2 MB
)

// Service looks up music in MusicBrainz.
type Service struct{ client *http.Client }

// New returns a service.
func New(client *http.Client) Service { return Service{client: client} }

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool { return []tools.Tool{s.searchTool(), s.lookupTool()} }

// get sends a request and decodes the JSON reply into the given value. MusicBrainz needs no API
// key.
func (s Service) get(ctx context.Context, resource string, query url.Values, value any) error {
	query.Set("fmt", "json")
	err := web.GetJSON(ctx, s.client, serviceURL+resource+"?"+query.Encode(), answerLimit, value)
	if web.HasStatus(err, http.StatusServiceUnavailable, http.StatusTooManyRequests) {
		return tools.Advise(errors.New("MusicBrainz is busy, or this IP address has sent too many requests"), "MusicBrainz allows one request a second. Try again in a few seconds.")
	}
	return err
}

// entity returns MusicBrainz's name for a kind.
func entity(kind string) string {
	switch kind {
	case "album":
		return "release"
	case "song", "track":
		return "recording"
	}
	return kind
}

// credit contains the artists of a work. JoinPhrase is the text between Name and the next Name.
type credit []struct{ Name, JoinPhrase string }

func (c credit) String() string {
	var text strings.Builder
	for _, part := range c {
		text.WriteString(part.Name + part.JoinPhrase)
	}
	return show.Line(text.String(), 150)
}

type named struct{ Name string }

func names(list []named) []string {
	return lists.Map(list, func(entry named) string { return entry.Name })
}

type span struct {
	Begin, End string
	Ended      bool
}

func (s span) String() string {
	switch {
	case s.Begin == "" && s.End == "" && !s.Ended:
		return ""
	case s.End == "" && s.Ended:
		return show.Line(s.Begin, 10) + "–?"
	}
	return show.Line(s.Begin, 10) + "–" + show.Line(s.End, 10)
}

// length is a duration in milliseconds. It is missing in many recordings.
type length *int

func clock(of length) string {
	if of == nil || *of <= 0 {
		return ""
	}
	seconds := (*of + 500) / 1000
	if seconds >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	}
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}
