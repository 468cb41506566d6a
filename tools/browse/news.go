package browse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/sync/errgroup"

	"marvin/messages"
	"marvin/tools"
	"marvin/tools/internal/duck"
	"marvin/tools/internal/show"
)

func (s Service) newsTool() tools.Tool {
	return tools.New(tools.Def[newsArgs]{
		Name: "search_news", Chat: true,
		Keys: "GNEWS_API_KEY or NEWSAPI_KEY, or both; without a key, Marvin asks only DuckDuckGo",
		Doc:  "Search recent news from several sources.",
		Examples: []string{
			"news about {electric cars|query}", "what are the latest headlines on {the elections|query}",
			"search the news for {Sweden|query}",
		},
		Pool: tools.Net, Service: "duckduckgo.com, gnews.io, newsapi.org",
		Run: s.news,
	})
}

// article adds the name of the searched service to a [duck.Article].
type article struct {
	duck.Article
	via string
}

// source is a service that finds news articles.
type source struct {
	name string
	ask  func(context.Context, tools.Env, newsArgs) ([]duck.Article, error)
}

// sources returns the services that can be used. NewsAPI and GNews need a key.
func (s Service) sources(env tools.Env) []source {
	list := []source{{"DuckDuckGo", func(ctx context.Context, env tools.Env, in newsArgs) ([]duck.Article, error) {
		return s.engine.News(ctx, env.Now(), duck.Query{Text: in.Query, Max: in.Max, Since: in.Since})
	}}}
	if key := env.Key(newsAPIKey); key != "" {
		list = append([]source{{"NewsAPI", s.askNewsAPI}}, list...)
	}
	if key := env.Key(gnewsKey); key != "" {
		list = append([]source{{"GNews", s.askGNews}}, list...)
	}
	return list
}

func (s Service) news(ctx context.Context, env tools.Env, in newsArgs) (tools.Output, error) {
	if in.Query = strings.TrimSpace(in.Query); in.Query == "" {
		return tools.Output{}, tools.Advise(errNoQuery, "Say what the news should be about.")
	}
	sources := s.sources(env)
	found, failed := make([][]duck.Article, len(sources)), make([]error, len(sources))
	var group errgroup.Group
	for i, source := range sources {
		group.Go(func() error {
			found[i], failed[i] = source.ask(ctx, env, in)
			return nil // an error in one source does not stop the others
		})
	}
	_ = group.Wait()
	var all []article
	var names, notes []string
	for i, source := range sources {
		names = append(names, source.name)
		for _, each := range found[i] {
			all = append(all, article{each, source.name})
		}
		if failed[i] != nil {
			notes = append(notes, fmt.Sprintf("%s failed: %v", source.name, failed[i]))
		}
	}
	if ctx.Err() != nil {
		return tools.Output{}, context.Cause(ctx)
	}
	note := ""
	if len(notes) > 0 {
		note = "\n\nNote: " + strings.Join(notes, "\nNote: ")
	}
	if all = distinct(all); len(all) == 0 {
		return s.newsPages(ctx, env, in, failed, note)
	}
	return tools.Output{Text: fmt.Sprintf("%s about %q (%s):\n\n%s%s", messages.Counted(len(all), "article"), show.Line(in.Query, 200), strings.Join(names, ", "), listArticles(all), note)}, nil
}

// newsPages searches the web for news pages. It is called if no source found an article.
func (s Service) newsPages(ctx context.Context, env tools.Env, in newsArgs, failed []error, note string) (tools.Output, error) {
	results, err := s.engine.Search(ctx, env.Now(), duck.Query{Text: in.Query + " news", Max: min(in.Max, 10), Since: "d"})
	switch {
	case err != nil:
		return tools.Output{}, tools.Advise(errors.Join(append(failed, err)...),
			"Try again later. With a key in %s or %s, Marvin also searches other sources.", gnewsKey, newsAPIKey)
	case len(results) == 0:
		return tools.NoResults(fmt.Sprintf("No news about %q.%s", show.Line(in.Query, 200), note)), nil
	}
	return tools.Output{Text: fmt.Sprintf("There are no news articles about %q, but these pages are from the last day:\n\n%s%s", show.Line(in.Query, 200), duck.List(results), note)}, nil
}

// distinct returns the articles in order of date, newest first. It omits articles without an
// address or a title. It also omits an article if a preceding article has the same address or a
// similar title.
func distinct(all []article) []article {
	slices.SortStableFunc(all, func(a, b article) int { return b.Date.Compare(a.Date) })
	var kept []article
	var titles [][]string
	for _, each := range all {
		words := wordsOf(each.Title)
		if each.URL == "" || len(words) == 0 || slices.ContainsFunc(kept, func(k article) bool { return sameAddress(k.URL, each.URL) }) ||
			slices.ContainsFunc(titles, func(other []string) bool { return overlap(words, other) > 0.6 }) {
			continue
		}
		kept, titles = append(kept, each), append(titles, words)
	}
	return kept
}

func sameAddress(a, b string) bool {
	plain := func(address string) string {
		address, _, _ = strings.Cut(address, "#")
		_, address, _ = strings.Cut(address, "://")
		return strings.TrimSuffix(strings.TrimPrefix(address, "www."), "/")
	}
	return plain(a) == plain(b)
}

// wordsOf returns the words of a title, sorted and without repetitions.
func wordsOf(title string) []string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	slices.Sort(words)
	return slices.Compact(words)
}

// overlap returns the Jaccard similarity of two sets of words: the number of words in both sets,
// divided by the number of words in either set.
func overlap(a, b []string) float64 {
	both := 0
	for _, word := range a {
		if _, found := slices.BinarySearch(b, word); found {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

func listArticles(all []article) string {
	var items [][]string
	for _, each := range all {
		when := ""
		if !each.Date.IsZero() {
			when = each.Date.UTC().Format("2006-01-02 15:04 MST")
		}
		from := show.Join(", ", show.Line(each.Source, 80), when)
		items = append(items, []string{
			show.Line(each.Title, 200), cmp.Or(from, "source unknown") + " [via " + each.via + "]",
			show.Line(each.URL, 1000), show.Line(each.Text, 300),
		})
	}
	return show.List(items)
}
