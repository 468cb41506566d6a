package media

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"marvin/tools"
	"marvin/tools/internal/duck"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

const answerLimit = 2 << 20

// Service finds films and games.
type Service struct {
	client *http.Client
	engine *duck.Engine
}

// New returns a service.
func New(client *http.Client) Service { return Service{client: client, engine: duck.New(client)} }

// onTheWeb searches the web when a key is missing. The result names the key and says where to get
// it.
func (s Service) onTheWeb(ctx context.Context, env tools.Env, query string, limit int, key, where string) (tools.Output, error) {
	hint := fmt.Sprintf("With a key in %s (free at %s) you get more and better results.", key, where)
	results, err := s.engine.Search(ctx, env.Now(), duck.Query{Text: query, Max: limit})
	if err != nil {
		return tools.Output{}, tools.Advise(err, "Try again later. %s", hint)
	}
	if len(results) == 0 {
		return tools.NoResults(fmt.Sprintf("No results for %q on the web. %s", show.Line(query, 200), hint)), nil
	}
	return tools.Output{Text: "From a web search:\n\n" + duck.List(results) + "\n\nNote: " + hint}, nil
}

// explainRejection replaces an error that reports a rejected key. It returns all other errors
// unchanged.
func explainRejection(err error, key string) error {
	if status, ok := errors.AsType[*web.StatusError](err); ok && (status.Status == http.StatusUnauthorized || status.Status == http.StatusForbidden) {
		return tools.Advise(fmt.Errorf("%s rejects the key in %s", status.Host, key), "Tell the user to correct or unset it.")
	}
	return err
}
