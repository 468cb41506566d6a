package bookmarks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/internal/text"
)

// Service gives the tools their document.
type Service struct{ home *persistence.Home }

// New makes the service over the user's files.
func New(home *persistence.Home) Service { return Service{home: home} }

// Tools lists the tools of this category.
func (s Service) Tools() []tools.Tool {
	return []tools.Tool{s.saveTool(), s.listTool(), s.searchTool(), s.changeTool(), s.removeTool()}
}

func (s Service) profile(env tools.Env) persistence.Profile {
	return s.home.Profile(filepath.Base(env.Profile))
}

type saveArgs struct {
	URL   string   `json:"url" doc:"Web address" alias:"link,address" example:"https://go.dev"`
	Title string   `json:"title" doc:"What to call it" default:"" alias:"name"`
	Tags  []string `json:"tags,omitempty" doc:"Words to find it by; a list, or one text with commas" alias:"tag"`
	Notes string   `json:"notes" doc:"Why it is worth keeping" default:"" alias:"note,description"`
}

func (s Service) saveTool() tools.Tool {
	return tools.New(tools.Def[saveArgs]{
		Name:   "bookmark_save",
		Sends:  tools.Nowhere[saveArgs],
		Effect: tools.Writes,
		Doc:    "Bookmark a web address with a title, tags and notes. An address that is bookmarked already is refused.",
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
	total, err := personal.BookmarksOf(personal.Noting(s.profile(env), &did)).Save(personal.Bookmark{
		URL: address, Title: text.OneLine(in.Title), Tags: splitTags(in.Tags), Notes: strings.TrimSpace(in.Notes),
	})
	if errors.Is(err, personal.ErrBookmarked) {
		return tools.Output{}, tools.Advise(fmt.Errorf("%s is already bookmarked", address), "Find it with bookmark_search.")
	}
	if err != nil && !persistence.OnlyDamage(err) {
		return tools.Output{}, fmt.Errorf("save the bookmark: %w", err)
	}
	return tools.Output{Text: fmt.Sprintf("Saved %s. Bookmarks in this profile: %d.%s", cmp.Or(text.OneLine(in.Title), address), total, warning(err)), Undo: tools.TakenBack(did)}, nil
}

// webAddress completes what people leave out. Other schemes are refused: a bookmark
// is opened with a click, and javascript: or file: would do something else.
func webAddress(text string) (string, error) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") && strings.Contains(text, ".") && !strings.ContainsAny(text, " \t\n") {
		text = "https://" + text
	}
	parsed, err := url.Parse(text)
	if err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" {
		return "", tools.Advise(fmt.Errorf("%q is not a web address", text), "Give a whole one, such as https://go.dev.")
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
	Tag   string `json:"tag" doc:"Only those with this tag" default:"" alias:"tags" example:"go"`
	Limit int    `json:"limit" doc:"How many to list" default:"20" min:"1" max:"200" alias:"max_results"`
}

func (s Service) listTool() tools.Tool {
	return tools.New(tools.Def[listArgs]{
		Name: "bookmark_list", Brings: tools.Private,
		Doc: "List bookmarks, newest first; with a tag only those that have it.",
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
		return tools.Nothing("There are no bookmarks. Save one with bookmark_save."), nil
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
	Limit int    `json:"limit" doc:"How many to list" default:"10" min:"1" max:"200" alias:"max_results"`
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
		return tools.Output{}, tools.Advise(errors.New("the query is empty"), "Say a word, or call bookmark_list.")
	}
	all, found, err := s.find(env, func(b personal.Bookmark) bool {
		text := strings.ToLower(strings.Join(append([]string{b.Title, b.URL, b.Notes}, b.Tags...), "\n"))
		return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
	})
	if err != nil && len(all) == 0 {
		return tools.Output{}, err
	}
	if len(found) == 0 {
		return tools.Output{Text: fmt.Sprintf("None of %d bookmarks has %q. bookmark_list shows them.%s", len(all), in.Query, warning(err))}, nil
	}
	return tools.Output{Text: show(found, in.Limit) + warning(err)}, nil
}

// find gives all bookmarks and those that match.
func (s Service) find(env tools.Env, match func(personal.Bookmark) bool) (all, found []personal.Bookmark, err error) {
	if all, err = personal.BookmarksOf(s.profile(env)).All(); err != nil {
		err = fmt.Errorf("read the bookmarks: %w", err)
	}
	for _, bookmark := range all {
		if match(bookmark) {
			found = append(found, bookmark)
		}
	}
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
		text += fmt.Sprintf("\n\n%d more; ask with a higher limit.", more)
	}
	return text
}

// warning is a message to show despite success.
func warning(err error) string {
	if err == nil {
		return ""
	}
	return "\nNote: " + err.Error()
}
