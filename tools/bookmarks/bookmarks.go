package bookmarks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"marvin/messages/lists"
	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/internal/text"
)

// Service stores the bookmarks of all profiles.
type Service struct{ home *persistence.Home }

// New returns a Service that uses home as its storage.
func New(home *persistence.Home) Service { return Service{home: home} }

// Tools returns the bookmark tools.
func (s Service) Tools() []tools.Tool {
	return []tools.Tool{s.saveTool(), s.listTool(), s.searchTool(), s.changeTool(), s.removeTool()}
}

type saveArgs struct {
	URL   string   `json:"url" doc:"Web address" alias:"link,address" example:"https://go.dev"`
	Title string   `json:"title" doc:"Title of the bookmark" default:"" alias:"name"`
	Tags  []string `json:"tags,omitempty" doc:"Tags, as a list or as one comma-separated string" alias:"tag"`
	Notes string   `json:"notes" doc:"Notes, such as why the page is worth keeping" default:"" alias:"note,description"`
}

func (s Service) saveTool() tools.Tool {
	return tools.New(tools.Def[saveArgs]{
		Name:   "bookmark_save",
		Sends:  tools.SendsNothing[saveArgs],
		Effect: tools.Writes,
		Doc:    "Save a bookmark: a web address with a title, tags and notes. Fails if the address is already bookmarked.",
		Examples: []string{
			"bookmark {https://go.dev|url}",
			"bookmark {https://go.dev|url} as {the Go site|title}",
			"save the bookmark {https://go.dev|url}",
		},
		Run: s.save,
	})
}

func (s Service) save(_ context.Context, env tools.Env, in saveArgs) (tools.Output, error) {
	address, err := webAddress(in.URL)
	if err != nil {
		return tools.Output{}, err
	}
	var did personal.Edit
	total, err := personal.BookmarksOf(personal.RecordChange(s.home.Profile(env.ProfileName()), &did)).Save(personal.Bookmark{
		URL: address, Title: text.OneLine(in.Title), Tags: splitTags(in.Tags), Notes: strings.TrimSpace(in.Notes),
	})
	if errors.Is(err, personal.ErrBookmarked) {
		return tools.Output{}, tools.Advise(fmt.Errorf("%s is already bookmarked", address), "Find it with bookmark_search.")
	}
	if err != nil && !persistence.OnlyDamage(err) {
		return tools.Output{}, fmt.Errorf("save the bookmark: %w", err)
	}
	return tools.Output{Text: fmt.Sprintf("Saved %s. Bookmarks in this profile: %d.%s", cmp.Or(text.OneLine(in.Title), address), total, warning(err)), Undo: tools.InverseOf(did)}, nil
}

// webAddress adds https:// to an address without a scheme. It accepts only http and https, because
// clicking a javascript: or file: bookmark would be dangerous.
func webAddress(text string) (string, error) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") && strings.Contains(text, ".") && !strings.ContainsAny(text, " \t\n") {
		text = "https://" + text
	}
	parsed, err := url.Parse(text)
	if err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" {
		return "", tools.Advise(fmt.Errorf("%q is not a web address", text), "Give a full address, such as https://go.dev.")
	}
	return text, nil
}

func splitTags(given []string) []string {
	var tags []string
	for _, list := range given {
		for tag := range strings.SplitSeq(list, ",") {
			tag = text.OneLine(tag)
			if tag != "" && !hasTag(tags, tag) {
				tags = append(tags, tag)
			}
		}
	}
	return tags
}

func hasTag(tags []string, tag string) bool {
	return slices.ContainsFunc(tags, func(known string) bool { return strings.EqualFold(known, tag) })
}

type listArgs struct {
	Tag   string `json:"tag" doc:"Only bookmarks with this tag" default:"" alias:"tags" example:"go"`
	Limit int    `json:"limit" doc:"Maximum results" default:"20" min:"1" max:"200" alias:"max_results"`
}

func (s Service) listTool() tools.Tool {
	return tools.New(tools.Def[listArgs]{
		Name: "bookmark_list", Brings: tools.Private,
		Doc: "List bookmarks, newest first: all, or only those with a tag.",
		Examples: []string{
			"what bookmarks do I have", "list my bookmarks", "show my bookmarks",
			"list my bookmarks tagged {go|tag}", "show bookmarks with the tag {go|tag}",
		},
		Run: s.list,
	})
}

func (s Service) list(_ context.Context, env tools.Env, in listArgs) (tools.Output, error) {
	tag := strings.TrimPrefix(strings.TrimSpace(in.Tag), "#")
	all, found, err := s.find(env, func(b personal.Bookmark) bool { return tag == "" || hasTag(b.Tags, tag) })
	if err != nil && len(all) == 0 {
		return tools.Output{}, err
	}
	switch {
	case len(all) == 0:
		return tools.NoResults("There are no bookmarks. Save one with bookmark_save."), nil
	case len(found) == 0:
		return tools.Output{Text: fmt.Sprintf("No bookmark has the tag %q. Tags: %s%s", tag, cmp.Or(strings.Join(allTags(all), ", "), "none"), warning(err))}, nil
	}
	return tools.Output{Text: show(found, in.Limit) + warning(err)}, nil
}

func allTags(bookmarks []personal.Bookmark) []string {
	var tags []string
	for _, bookmark := range bookmarks {
		for _, tag := range bookmark.Tags {
			if !hasTag(tags, tag) {
				tags = append(tags, tag)
			}
		}
	}
	slices.Sort(tags)
	return tags
}

type searchArgs struct {
	Query string `json:"query" doc:"Words in the title, address, notes or tags" alias:"q,text" example:"go"`
	Limit int    `json:"limit" doc:"Maximum results" default:"10" min:"1" max:"200" alias:"max_results"`
}

func (s Service) searchTool() tools.Tool {
	return tools.New(tools.Def[searchArgs]{
		Name: "bookmark_search", Brings: tools.Private,
		Doc:      "Search bookmarks by words in their title, address, notes and tags.",
		Examples: []string{"search my bookmarks for {go|query}", "find the bookmark about {go|query}", "which bookmark is about {go|query}"},
		Run:      s.search,
	})
}

func (s Service) search(_ context.Context, env tools.Env, in searchArgs) (tools.Output, error) {
	words := strings.Fields(strings.ToLower(in.Query))
	if len(words) == 0 {
		return tools.Output{}, tools.Advise(errors.New("the query is empty"), "Give a word, or call bookmark_list.")
	}
	all, found, err := s.find(env, func(b personal.Bookmark) bool {
		text := strings.ToLower(strings.Join(append([]string{b.Title, b.URL, b.Notes}, b.Tags...), "\n"))
		return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
	})
	if err != nil && len(all) == 0 {
		return tools.Output{}, err
	}
	if len(found) == 0 {
		return tools.Output{Text: fmt.Sprintf("None of the %d bookmarks contains %q. bookmark_list shows them all.%s", len(all), in.Query, warning(err))}, nil
	}
	return tools.Output{Text: show(found, in.Limit) + warning(err)}, nil
}

func (s Service) find(env tools.Env, match func(personal.Bookmark) bool) (all, found []personal.Bookmark, err error) {
	if all, err = personal.BookmarksOf(s.home.Profile(env.ProfileName())).All(); err != nil {
		err = fmt.Errorf("read the bookmarks: %w", err)
	}
	found = lists.Filter(all, match)
	return all, found, err
}

func show(found []personal.Bookmark, limit int) string {
	var items []string
	for i, bookmark := range found[:min(limit, len(found))] {
		title := cmp.Or(text.OneLine(bookmark.Title), bookmark.URL)
		if len(bookmark.Tags) > 0 {
			title += " [" + strings.Join(bookmark.Tags, ", ") + "]"
		}
		item := fmt.Sprintf("%d. %s\n   %s", i+1, title, bookmark.URL)
		if notes := text.OneLine(bookmark.Notes); notes != "" {
			item += "\n   " + notes
		}
		items = append(items, item)
	}
	text := strings.Join(items, "\n\n")
	if more := len(found) - len(items); more > 0 {
		text += fmt.Sprintf("\n\n%d more; call bookmark_list or bookmark_search with a higher limit.", more)
	}
	return text
}

// warning returns a note about an error that did not make the call fail, or "" if err is nil.
func warning(err error) string {
	if err == nil {
		return ""
	}
	return "\nNote: " + err.Error()
}

type changeArgs struct {
	URL    string   `json:"url" doc:"Address of the bookmark, or words in its title" alias:"link,address,bookmark" example:"https://go.dev"`
	Title  string   `json:"title,omitempty" doc:"New title" alias:"name,new_title"`
	Tags   []string `json:"tags,omitempty" doc:"New tags, which replace the old ones" alias:"tag"`
	Notes  string   `json:"notes,omitempty" doc:"New notes" alias:"note,description"`
	NewURL string   `json:"new_url,omitempty" doc:"New address" alias:"new_link"`
}

func (s Service) changeTool() tools.Tool {
	return tools.New(tools.Def[changeArgs]{
		Name:   "bookmark_change",
		Brings: tools.Private,
		Sends:  tools.SendsNothing[changeArgs],
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
		return tools.Output{}, errors.New("the call does not say what to change; give title, tags, notes or new_url")
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
	_, err = personal.BookmarksOf(personal.RecordChange(s.home.Profile(env.ProfileName()), &did)).Change(found.URL, func(b *personal.Bookmark) bool {
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
	return tools.Output{Text: "Changed:\n" + show([]personal.Bookmark{now}, 1) + warning(err), Undo: tools.InverseOf(did)}, nil
}

type removeArgs struct {
	URL string `json:"url" doc:"Address of the bookmark, or words in its title" alias:"link,address,bookmark,title" example:"https://go.dev"`
}

func (s Service) removeTool() tools.Tool {
	return tools.New(tools.Def[removeArgs]{
		Name:     "bookmark_remove",
		Brings:   tools.Private,
		Sends:    tools.SendsNothing[removeArgs],
		Effect:   tools.Writes,
		Doc:      "Remove a bookmark. If several match, it lists them and removes none.",
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
	old, err := personal.BookmarksOf(personal.RecordChange(s.home.Profile(env.ProfileName()), &did)).Change(found.URL, func(*personal.Bookmark) bool { return false })
	if err != nil && !persistence.OnlyDamage(err) {
		return tools.Output{}, s.explain(err, found.URL, "")
	}
	return tools.Output{Text: "Removed:\n" + show([]personal.Bookmark{old}, 1) + warning(err), Undo: tools.InverseOf(did)}, nil
}

func (s Service) explain(err error, address, taken string) error {
	switch {
	case errors.Is(err, personal.ErrNoBookmark):
		return tools.Advise(fmt.Errorf("%s is a bookmark that an earlier Marvin version stored for all profiles", address), "Marvin does not change the file with these bookmarks: %s", personal.SharedBookmarks(s.home))
	case errors.Is(err, personal.ErrBookmarked):
		return fmt.Errorf("%s is already bookmarked", taken)
	}
	return fmt.Errorf("change the bookmarks: %w", err)
}

// pick returns the bookmark that the input describes. The input is the bookmark's address, or words
// that occur in the bookmark's title or address. pick fails unless exactly one bookmark matches.
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
	return personal.Bookmark{}, tools.Advise(fmt.Errorf("%d bookmarks match, so nothing was changed", len(found)), "Call again with the address of one of them:\n%s", show(found, 10))
}
