package spotify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"marvin/tools"
	"marvin/tools/internal/web"
)

const (
	askTimeout = 15 * time.Second
	maxAnswer  = 2 << 20
)

// ask sends a request with the user's token. If Spotify rejects a token that has not expired, the
// token is renewed once.
func (s *Service) ask(ctx context.Context, env tools.Env, method, path string, body, answer any) error {
	rejected := ""
	for {
		token, err := s.token(ctx, env, rejected)
		if err != nil {
			return err
		}
		err = s.send(ctx, token, method, path, body, answer)
		switch {
		case web.HasStatus(err, http.StatusUnauthorized) && rejected == "":
			rejected = token
			continue
		case web.HasStatus(err, http.StatusUnauthorized):
			return tools.Advise(err, "Call spotify_auth again. If that does not help, ask the user to remove \"spotify\" from tokens.json in the profile's directory.")
		case web.HasStatus(err, http.StatusForbidden):
			return tools.Advise(err, "An app in development mode works only while its owner has Premium, and only for the accounts listed at %s. Only the owner of a playlist can change it.", dashboard)
		}
		return err
	}
}

func (s *Service) send(ctx context.Context, token, method, path string, body, answer any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, askTimeout, errors.New("it took longer than "+askTimeout.String()))
	defer cancel()
	var content bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&content).Encode(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, apiURL+path, &content)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return web.AskJSON(s.client, request, maxAnswer, answer)
}
