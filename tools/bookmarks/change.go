package bookmarks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/internal/text"
)

type changeArgs struct {
	URL    string   `json:"url" doc:"Its address, or words of its title" alias:"link,address,bookmark" example:"https://go.dev"`
	Title  string   `json:"title,omitempty" doc:"New" alias:"name,new_title"`
	Tags   []string `json:"tags,omitempty" doc:"New, instead of the old ones" alias:"tag"`
	Notes  string   `json:"notes,omitempty" doc:"New" alias:"note,description"`
	NewURL string   `json:"new_url,omitempty" doc:"New address" alias:"new_link"`
}

func (s Service) changeTool() tools.Tool {
	return tools.New(tools.Def[changeArgs]{
		Name:   "bookmark_change",
		Brings: tools.Private,
		Sends:  tools.Nowhere[changeArgs],
		Effect: tools.Writes,
		Doc:    "Rename a bookmark, or change its tags, notes or address.",
		Examples: []string{
			"rename the bookmark {https://go.dev|url} to {the Go site|title}", "tag the bookmark {https://go.dev|url} with {go|tags}",
		},
		Run: s.change,
	})
}

func (s Service) change(_ context.Context, env tools.Env, in changeArgs) (tools.Output, error) {
	if in.Title+in.Notes+in.NewURL == "" && len(in.Tags) == 0 {
		return tools.Output{}, errors.New("say what is to change: title, tags, notes or new_url")
	}
	address := ""
	if in.NewURL != "" {
		var err error
		if address, err = webAddress(in.NewURL); err != nil {
			return tools.Output{}, err
		}
	}
	found, err := s.pick(env, in.URL)
	if err != nil {
		return tools.Output{}, err
	}
	var now personal.Bookmark
	var did personal.Edit
	_, err = personal.BookmarksOf(personal.Noting(s.profile(env), &did)).Change(found.URL, func(b *personal.Bookmark) bool {
		b.URL, b.Title, b.Notes = cmp.Or(address, b.URL), cmp.Or(text.OneLine(in.Title), b.Title), cmp.Or(strings.TrimSpace(in.Notes), b.Notes)
		if tags := splitTags(in.Tags); len(tags) > 0 {
			b.Tags = tags
		}
		now = *b
		return true
	})
	if err != nil && !persistence.OnlyDamage(err) {
		return tools.Output{}, s.explain(err, found.URL, address)
	}
	return tools.Output{Text: "Changed:\n" + show([]personal.Bookmark{now}, 1) + warning(err), Undo: tools.TakenBack(did)}, nil
}

type removeArgs struct {
	URL string `json:"url" doc:"Its address, or words of its title" alias:"link,address,bookmark,title" example:"https://go.dev"`
}

func (s Service) removeTool() tools.Tool {
	return tools.New(tools.Def[removeArgs]{
		Name:     "bookmark_remove",
		Brings:   tools.Private,
		Sends:    tools.Nowhere[removeArgs],
		Effect:   tools.Writes,
		Doc:      "Remove one bookmark. Several matches are only listed.",
		Examples: []string{"remove the bookmark {https://go.dev|url}", "delete my bookmark {the Go site|url}"},
		Run:      s.remove,
	})
}

func (s Service) remove(_ context.Context, env tools.Env, in removeArgs) (tools.Output, error) {
	found, err := s.pick(env, in.URL)
	if err != nil {
		return tools.Output{}, err
	}
	var did personal.Edit
	old, err := personal.BookmarksOf(personal.Noting(s.profile(env), &did)).Change(found.URL, func(*personal.Bookmark) bool { return false })
	if err != nil && !persistence.OnlyDamage(err) {
		return tools.Output{}, s.explain(err, found.URL, "")
	}
	return tools.Output{Text: "Removed:\n" + show([]personal.Bookmark{old}, 1) + warning(err), Undo: tools.TakenBack(did)}, nil
}

func (s Service) explain(err error, address, taken string) error {
	switch {
	case errors.Is(err, personal.ErrNoBookmark):
		return tools.Advise(fmt.Errorf("%s is a bookmark of an earlier Marvin, for all profiles", address), "That file is only read: %s", personal.SharedBookmarks(s.home))
	case errors.Is(err, personal.ErrBookmarked):
		return fmt.Errorf("%s is already bookmarked", taken)
	}
	return fmt.Errorf("change the bookmarks: %w", err)
}

// pick finds the one bookmark that is meant: by its address, else by words of its title.
func (s Service) pick(env tools.Env, said string) (personal.Bookmark, error) {
	address, notAddress := webAddress(said)
	all, found, err := s.find(env, func(b personal.Bookmark) bool {
		return notAddress == nil && personal.SameAddress(b.URL, address)
	})
	if err != nil && len(all) == 0 {
		return personal.Bookmark{}, err
	}
	words := strings.Fields(strings.ToLower(said))
	for _, bookmark := range all {
		if len(found) > 0 && personal.SameAddress(found[0].URL, address) && notAddress == nil || len(words) == 0 {
			break
		}
		title, matches := strings.ToLower(bookmark.Title+" "+bookmark.URL), true
		for _, word := range words {
			matches = matches && strings.Contains(title, word)
		}
		if matches {
			found = append(found, bookmark)
		}
	}
	switch len(found) {
	case 0:
		return personal.Bookmark{}, tools.Advise(fmt.Errorf("there is no bookmark %q", text.OneLine(said)), "bookmark_list shows them.")
	case 1:
		return found[0], nil
	}
	return personal.Bookmark{}, tools.Advise(fmt.Errorf("%d bookmarks match, and nothing was changed", len(found)), "Call again with the address of one of them:\n%s", show(found, 10))
}
