package sessions

import (
	"errors"
	"fmt"
	"strings"

	"marvin/messages/lists"
	"marvin/persistence/sessions"
	"marvin/ui/termsafe"
)

type notCalled string

func (n notCalled) Error() string {
	return fmt.Sprintf("no conversation is called %q; to list all conversations, run marvin sessions list", string(n))
}

// FindMatching returns the conversations that contain all of the given words. Matches in titles,
// first prompts, names and directories come before matches in other text.
func (a Archive) FindMatching(list []sessions.Info, words string) (found []sessions.Info) {
	if strings.TrimSpace(words) == "" {
		return list
	}
	called := map[string]bool{}
	for _, info := range list {
		if saysAll(info, words) {
			called[info.ID], found = true, append(found, info)
		}
	}
	places, _ := a.places(list, words) // "marvin sessions check" reports damaged files
	said := make(map[string]bool, len(places))
	for _, place := range places {
		said[place.ID] = true
	}
	return append(found, lists.Filter(list, func(info sessions.Info) bool { return said[info.ID] && !called[info.ID] })...)
}

// Lookup finds a conversation by its id, name or title. If no conversation matches, Lookup searches
// the messages.
func (c Conversations) Lookup(text string) (sessions.Info, error) {
	list := c.List()
	info, err := namedIn(list, text)
	if !errors.As(err, new(notCalled)) || strings.TrimSpace(text) == "" {
		return info, err
	}
	places, failed := Archive{Conversations: c}.places(list, text)
	switch {
	case failed != nil && len(places) == 0:
		return info, failed
	case len(places) == 0:
		return info, fmt.Errorf("no conversation is called %q or contains that text; to list all conversations, run marvin sessions list", text)
	case len(places) == 1:
		return places[0].info(), nil
	}
	var lines strings.Builder
	for _, place := range places[:min(len(places), 5)] {
		fmt.Fprintf(&lines, "\n  %s  %s\n      %s", place.ID, termsafe.Line(place.Title), excerpt(place.Line, text))
	}
	return info, fmt.Errorf("%d conversations contain %q; give the id of one:%s", len(places), text, lines.String())
}
