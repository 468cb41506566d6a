package github

import (
	"cmp"
	"fmt"
	"strings"

	"marvin/messages"
	"marvin/tools/internal/show"
)

// hit is a search result from gh or the REST API. A value with several JSON names has several
// fields.
type hit struct {
	URL     string `json:"url"`
	HTMLURL string `json:"html_url"`

	FullName    string `json:"fullName"` // repositories
	FullName2   string `json:"full_name"`
	Description string `json:"description"`
	Language    string `json:"language"`
	Stars       int    `json:"stargazersCount"`
	Stars2      int    `json:"stargazers_count"`

	Path       string `json:"path"` // code
	Repository struct {
		FullName  string `json:"fullName"`
		FullName2 string `json:"full_name"`
		FullName3 string `json:"nameWithOwner"`
	} `json:"repository"`
	Matches  []struct{ Fragment string } `json:"textMatches"`
	Matches2 []struct{ Fragment string } `json:"text_matches"`

	Title     string         `json:"title"` // issues
	Number    int            `json:"number"`
	State     string         `json:"state"`
	Source    string         `json:"repository_url"`
	Comments  int            `json:"commentsCount"`
	Comments2 int            `json:"comments"`
	Pull      map[string]any `json:"pull_request"`

	SHA    string `json:"sha"` // commits
	Commit struct {
		Message string
		Author  struct{ Name, Date string }
	} `json:"commit"`

	Login string `json:"login"` // users
	Type  string `json:"type"`
}

func (h hit) lines(kind string) []string {
	address := show.Line(cmp.Or(h.HTMLURL, h.URL), 300)
	repository := show.Line(cmp.Or(h.Repository.FullName3, h.Repository.FullName, h.Repository.FullName2, afterRepos(h.Source)), 200)
	switch kind {
	case "code":
		fragment := ""
		for _, match := range append(h.Matches, h.Matches2...) {
			if fragment == "" {
				fragment = show.Line(match.Fragment, 200)
			}
		}
		return []string{repository + ": " + show.Line(h.Path, 250), fragment, address}
	case "issues":
		about := fmt.Sprintf("#%d · %s · %s", h.Number, show.Line(h.State, 20), messages.Counted(h.Comments+h.Comments2, "comment"))
		if h.Pull != nil {
			about += " · pull request"
		}
		return []string{show.Line(h.Title, 250), show.Join(" · ", repository, about), address}
	case "commits":
		message, _, _ := strings.Cut(h.Commit.Message, "\n")
		day, _, _ := strings.Cut(h.Commit.Author.Date, "T")
		return []string{
			show.Line(message, 200),
			show.Join(" · ", repository, h.SHA[:min(10, len(h.SHA))], show.Line(h.Commit.Author.Name, 60), show.Line(day, 20)),
			address,
		}
	case "users":
		return []string{show.Line(h.Login, 100), show.Join(" · ", show.Line(h.Type, 20), address)}
	}
	return []string{
		show.Line(cmp.Or(h.FullName, h.FullName2), 200),
		show.Line(h.Description, 250),
		show.Join(" · ", "★ "+show.Count(h.Stars+h.Stars2), show.Line(h.Language, 30), address),
	}
}

// afterRepos returns the owner/name part of https://api.github.com/repos/owner/name.
func afterRepos(address string) string {
	_, name, _ := strings.Cut(address, "/repos/")
	return name
}
