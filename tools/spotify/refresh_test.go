package spotify

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/tools/internal/toolstest"
)

func TestTenMarvinsRefreshOnce(t *testing.T) {
	var mu sync.Mutex
	good, refreshes := 1, 0
	client := toolstest.Client(t, map[string]http.HandlerFunc{
		"accounts.spotify.com": func(w http.ResponseWriter, r *http.Request) {
			_ = r.ParseForm()
			mu.Lock()
			refreshes++
			taken := r.PostForm.Get("refresh_token") == fmt.Sprint("refresh-", good)
			if taken {
				good++
			}
			next := good
			mu.Unlock()
			time.Sleep(20 * time.Millisecond) // the delay of the reply, during which other requests arrive
			w.Header().Set("Content-Type", "application/json")
			if !taken {
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprint(w, `{"error":"invalid_grant","error_description":"Refresh token revoked"}`)
				return
			}
			fmt.Fprintf(w, `{"access_token":"access-%d","token_type":"Bearer","expires_in":3600,"refresh_token":"refresh-%d"}`, next, next)
		},
		"api.spotify.com": func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			if r.Header.Get("Authorization") != fmt.Sprint("Bearer access-", good) {
				w.WriteHeader(http.StatusUnauthorized)
			}
			fmt.Fprint(w, noTracks)
		},
	})
	env := toolstest.Env(t, "SPOTIFY_CLIENT_ID="+clientID, "SPOTIFY_CLIENT_SECRET="+secret)
	env.Now = time.Now
	env.Profile = persistence.Open(env.Home, env.Now).Profile("alex").Dir
	if err := os.MkdirAll(env.Profile, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(env.Profile, "tokens.json"), []byte(`{"spotify":{"access_token":"old","expires_in":3600,"refresh_token":"refresh-1","_saved_at":1}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var marvins sync.WaitGroup
	for range 10 {
		marvins.Go(func() {
			service := New(client, persistence.Open(env.Home, env.Now)) // the service locks files like separate processes
			defer service.Close()
			for _, tool := range service.Tools() {
				if tool.Name != "spotify_search" {
					continue
				}
				call, err := tool.Decode([]byte(`{"query":"x"}`))
				if err != nil {
					t.Error(err)
					return
				}
				if output, err := call.Run(t.Context(), env); err != nil || !strings.Contains(output.Text, "no track") {
					t.Errorf("%q, %v", output.Text, err)
				}
			}
		})
	}
	marvins.Wait()
	if refreshes != 1 {
		t.Errorf("%d refreshes", refreshes)
	}
}
