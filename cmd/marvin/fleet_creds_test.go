package main

import (
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nkeys"

	"marvin/cmd/marvin/internal/fleet/fleettest"
	"marvin/providers/modeltest"
)

// signer is the key of an operator, an account or a user.
type signer struct {
	nkeys.KeyPair
	public string
}

func newSigner(t *testing.T, prefix nkeys.PrefixByte) signer {
	t.Helper()
	pair, err := nkeys.CreatePair(prefix)
	if err != nil {
		t.Fatal(err)
	}
	public, err := pair.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	return signer{pair, public}
}

// signs returns a token as nsc writes it (github.com/nats-io/jwt/v2, claims.go): claims about
// another key, with their own digest as their name.
func (i signer) signs(t *testing.T, about signer, name string, claims map[string]any) string {
	t.Helper()
	claims["version"] = 2
	body := map[string]any{"iat": time.Now().Unix(), "iss": i.public, "name": name, "sub": about.public, "nats": claims}
	plain, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	digest := sha512.Sum512_256(plain)
	body["jti"] = base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(digest[:])
	if plain, err = json.Marshal(body); err != nil {
		t.Fatal(err)
	}
	words := base64.RawURLEncoding.EncodeToString([]byte(`{"typ":"JWT","alg":"ed25519-nkey"}`)) + "." + base64.RawURLEncoding.EncodeToString(plain)
	signature, err := i.Sign([]byte(words))
	if err != nil {
		t.Fatal(err)
	}
	return words + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// credentials writes a file as nsc generates it, with the token of the user and the seed of its
// key.
func credentials(t *testing.T, path, token string, user signer) string {
	t.Helper()
	seed, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("-----BEGIN NATS USER JWT-----\n%s\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n%s\n------END USER NKEY SEED------\n", token, seed)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// operated is a server whose accounts are signed by an operator, with a credentials file for each
// account.
type operated struct {
	*fleettest.Server
	config string // its file of configuration
	creds  map[string]string
}

// unlimited returns the limits of an account as nsc makes it, with JetStream.
func unlimited() map[string]any {
	limits := map[string]any{"wildcards": true}
	for _, name := range []string{"subs", "data", "payload", "imports", "exports", "conn", "leaf", "mem_storage", "disk_storage", "streams", "consumer"} {
		limits[name] = -1
	}
	return limits
}

// newOperated starts a server with accounts of these names. The permissions apply to all users.
func newOperated(t *testing.T, permissions map[string]any, accounts ...string) operated {
	t.Helper()
	dir := t.TempDir()
	operator, system := newSigner(t, nkeys.PrefixByteOperator), newSigner(t, nkeys.PrefixByteAccount)
	config := "operator: " + operator.signs(t, operator, "operator", map[string]any{"type": "operator", "system_account": system.public}) + "\nresolver: MEMORY\nresolver_preload: {\n"
	config += "  " + system.public + ": " + operator.signs(t, system, "system", map[string]any{"type": "account", "limits": map[string]any{"subs": -1, "conn": -1}}) + "\n"
	creds := map[string]string{}
	for _, name := range accounts {
		account, user := newSigner(t, nkeys.PrefixByteAccount), newSigner(t, nkeys.PrefixByteUser)
		config += "  " + account.public + ": " + operator.signs(t, account, name, map[string]any{"type": "account", "limits": unlimited(), "default_permissions": map[string]any{"pub": map[string]any{}, "sub": map[string]any{}}}) + "\n"
		claims := map[string]any{"type": "user", "subs": -1, "data": -1, "payload": -1}
		for key, value := range permissions {
			claims[key] = value
		}
		creds[name] = credentials(t, filepath.Join(dir, name+".creds"), account.signs(t, user, name, claims), user)
	}
	path := filepath.Join(dir, "nats.conf")
	if err := os.WriteFile(path, []byte(config+"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return operated{Server: fleettest.Start(t, "-c", path), config: path, creds: creds}
}

// A fleet runs in its own account, with credentials files as nsc makes them. A batch with a cost
// limit, its worker and the commands work with them. Another account sees nothing. A worker whose
// credentials become invalid ends and says so.
func TestFleetWithCredentials(t *testing.T) {
	t.Parallel()
	server := newOperated(t, nil, "night", "day")
	command := batchOf(t, func(prompt string) modeltest.Step { return modeltest.Text("to " + prompt) }, prompts("1", "2"),
		"--fleet", server.URL(), "--max-cost", "1", "--creds", server.creds["night"])
	worker := again(command)
	worker.Args = []string{"marvin", "worker", "--fleet", server.URL(), "--provider", "openai-compat", "--name", "w"}
	worker.Env = append(worker.Env, "MARVIN_FLEET_CREDS="+server.creds["night"])
	ended := begins(t, worker, 3*patience)
	if stdout, stderr, code := ends(t, command); code != 0 || len(resultsIn(t, stdout)) != 2 {
		t.Errorf("exit code %d\n%s\n%s", code, stdout, stderr)
	}
	status := func(name string) string {
		one := again(command)
		one.Args = []string{"marvin", "fleet", "status", "--fleet", server.URL(), "--creds", server.creds[name]}
		stdout, stderr, code := ends(t, one)
		if code != 0 {
			t.Errorf("%s: exit code %d\n%s", name, code, stderr)
		}
		return stdout
	}
	if said := status("night"); !strings.Contains(said, "w ") || !strings.Contains(said, "prompts.jsonl") {
		t.Errorf("%s", said)
	}
	if said := status("day"); strings.Contains(said, "w ") || strings.Contains(said, "prompts.jsonl") {
		t.Errorf("another account: %s", said)
	}
	others := newOperated(t, nil, "night")
	server.Kill()
	config, err := os.ReadFile(others.config)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(server.config, config, 0o600); err != nil {
		t.Fatal(err)
	}
	server.Start()
	if _, stderr, code := ended(); code != 1 || !strings.Contains(stderr, "Authorization Violation; the server does not accept "+server.creds["night"]) {
		t.Errorf("credentials that hold no more: exit code %d\n%s", code, stderr)
	}
}
