package music

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

const (
	serviceURL  = "https://musicbrainz.org/ws/2/"
	answerLimit = 8 << 20 // bytes; a release of 100 discs takes 2 MB
)

// Service asks MusicBrainz.
type Service struct{ client *http.Client }

// New makes the service.
func New(client *http.Client) Service { return Service{client: client} }

// Tools lists the tools of this category.
func (s Service) Tools() []tools.Tool { return []tools.Tool{s.searchTool(), s.lookupTool()} }

// get asks for a resource. No key is needed.
func (s Service) get(ctx context.Context, resource string, query url.Values, value any) error {
	query.Set("fmt", "json")
	err := web.GetJSON(ctx, s.client, serviceURL+resource+"?"+query.Encode(), answerLimit, value)
	var status *web.StatusError
	if errors.As(err, &status) && (status.Status == http.StatusServiceUnavailable || status.Status == http.StatusTooManyRequests) {
		return tools.Advise(errors.New("MusicBrainz is busy, or this address asks too often"), "It takes one request a second. Try again in a few seconds.")
	}
	return err
}

// entity is the name that the service has for what people call otherwise.
func entity(kind string) string {
	switch kind {
	case "album":
		return "release"
	case "song", "track":
		return "recording"
	}
	return kind
}

// credit names who made something, joined as the cover has it.
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
	names := make([]string, len(list))
	for i, entry := range list {
		names[i] = entry.Name
	}
	return names
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

// length is a duration in milliseconds; many recordings have none.
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
