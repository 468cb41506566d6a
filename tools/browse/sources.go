package browse

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"marvin/tools"
	"marvin/tools/internal/duck"
	"marvin/tools/internal/markup"
	"marvin/tools/internal/web"
)

type newsArgs struct {
	Query string `json:"query" doc:"The topic" alias:"q,topic" example:"electric cars"`
	Max   int    `json:"max_results" doc:"Maximum number of results from each source" default:"20" min:"1" max:"50" alias:"limit,count"`
	Since string `json:"time_filter" doc:"Results newer than a day, week or month" enum:"d,w,m" default:"" alias:"time,timelimit"`
}

// The services that need a key, and the variables that contain the keys.
const (
	gnewsURL   = "https://gnews.io/api/v4/search" // https://docs.gnews.io/endpoints/search-endpoint
	gnewsKey   = "GNEWS_API_KEY"
	newsAPIURL = "https://newsapi.org/v2/everything" // https://newsapi.org/docs/endpoints/everything
	newsAPIKey = "NEWSAPI_KEY"
	newsLimit  = 4 << 20
)

// serviceArticle is a news article in a reply from GNews or NewsAPI.
type serviceArticle struct {
	Title, Description, URL, PublishedAt string
	Source                               struct{ Name string }
}

func (s Service) askGNews(ctx context.Context, env tools.Env, in newsArgs) ([]duck.Article, error) {
	query := url.Values{
		"q": {quoteSpecial(in.Query)}, "lang": {"en"}, "max": {strconv.Itoa(in.Max)}, "sortby": {"publishedAt"},
		"apikey": {env.Key(gnewsKey)}, // GNews accepts the key only here
	}
	if from := beginning(in.Since, env.Now()); !from.IsZero() {
		query.Set("from", from.UTC().Format(time.RFC3339))
	}
	articles, err := s.ask(ctx, gnewsURL+"?"+query.Encode(), nil)
	if status, ok := errors.AsType[*web.StatusError](err); ok {
		switch status.Status {
		case http.StatusUnauthorized:
			return nil, fmt.Errorf("the key in %s is rejected; correct or unset it", gnewsKey)
		case http.StatusForbidden:
			return nil, fmt.Errorf("the key in %s has no requests left for today", gnewsKey)
		}
	}
	return articles, err
}

// quoteSpecial quotes each word that contains a character other than a letter or a digit. GNews
// treats such characters in unquoted words as operators or syntax errors.
func quoteSpecial(query string) string {
	words := strings.Fields(strings.ReplaceAll(query, `"`, " "))
	for i, word := range words {
		if strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			words[i] = `"` + word + `"`
		}
	}
	return strings.Join(words, " ")
}

func (s Service) askNewsAPI(ctx context.Context, env tools.Env, in newsArgs) ([]duck.Article, error) {
	query := url.Values{"q": {in.Query}, "language": {"en"}, "pageSize": {strconv.Itoa(in.Max)}, "sortBy": {"publishedAt"}}
	if from := beginning(in.Since, env.Now()); !from.IsZero() {
		query.Set("from", from.UTC().Format("2006-01-02T15:04:05"))
	}
	articles, err := s.ask(ctx, newsAPIURL+"?"+query.Encode(), http.Header{"X-Api-Key": {env.Key(newsAPIKey)}})
	if web.HasStatus(err, http.StatusUnauthorized) {
		return nil, fmt.Errorf("the key in %s is rejected; correct or unset it", newsAPIKey)
	}
	return articles, err
}

func (s Service) ask(ctx context.Context, address string, header http.Header) ([]duck.Article, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, 15*time.Second, errors.New("it took longer than 15s"))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, err
	}
	maps.Copy(request.Header, header)
	var answer struct{ Articles []serviceArticle }
	if err := web.AskJSON(s.client, request, newsLimit, &answer); err != nil {
		return nil, err
	}
	var articles []duck.Article
	for _, each := range answer.Articles {
		if each.Title == "[Removed]" { // NewsAPI marks retracted articles this way
			continue
		}
		when, _ := time.Parse(time.RFC3339, each.PublishedAt) // the zero time means unknown
		articles = append(articles, duck.Article{
			Title: markup.Line(each.Title), URL: each.URL, Source: markup.Line(each.Source.Name), Text: markup.Line(each.Description), Date: when,
		})
	}
	return articles, nil
}

// beginning converts the filter "d", "w" or "m" to the earliest allowed time. For any other filter,
// the result is the zero time.
func beginning(filter string, now time.Time) time.Time {
	switch filter {
	case "d":
		return now.AddDate(0, 0, -1)
	case "w":
		return now.AddDate(0, 0, -7)
	case "m":
		return now.AddDate(0, -1, 0)
	}
	return time.Time{}
}
