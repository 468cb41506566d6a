package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nkeys"

	"marvin/cmd/marvin/internal/fleet/fleettest"
	"marvin/providers/modeltest"
)

// keyFile writes the seed of a new user, and returns its public key.
func keyFile(t *testing.T, path string) string {
	t.Helper()
	user := newSigner(t, nkeys.PrefixByteUser)
	seed, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, seed, 0o600); err != nil {
		t.Fatal(err)
	}
	return user.public
}

func TestFleetLoginErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	certificates(t, dir)
	file := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if text != "" {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	ca, cert, key := file("cert.pem", ""), file("cert.pem", ""), file("key.pem", "")
	known, other := file("known.nk", ""), file("other.nk", "")
	keyFile(t, other)
	config := fmt.Sprintf("tls { cert_file: %q, key_file: %q, ca_file: %q, verify: true }\naccounts: { a: { jetstream: enabled, users: [ { nkey: %s } ] } }\n", cert, key, ca, keyFile(t, known))
	locked := fleettest.Start(t, "-c", file("locked.conf", config))
	bare := fleettest.Start(t, "-c", file("bare.conf", "accounts: { a: { users: [ { user: u, password: p } ] } }\nno_auth_user: u\n"))
	forbidden := newOperated(t, map[string]any{"pub": map[string]any{"deny": []string{"$JS.API.>"}}, "sub": map[string]any{}}, "night")
	here := "127.0.0.1:" + locked.Port
	command := process(t, nil)
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"an unknown authority":        {[]string{"tls://" + here}, "certificate signed by unknown authority; give the CA certificates of this server with --ca FILE"},
		"another name":                {[]string{"tls://localhost:" + locked.Port, "--ca", ca, "--cert", cert, "--cert-key", key}, "the server needs a certificate that is valid now and matches the name"},
		"no certificate":              {[]string{"tls://" + here, "--ca", ca}, "the server requires a client certificate: give --cert FILE and --cert-key FILE"},
		"half a certificate":          {[]string{"tls://" + here, "--ca", ca, "--cert", cert}, "give --cert and --cert-key together"},
		"nobody":                      {[]string{"tls://" + here, "--ca", ca, "--cert", cert, "--cert-key", key}, "Authorization Violation; the server requires a login: give --creds FILE or --nkey FILE"},
		"a stranger":                  {[]string{"tls://" + here, "--ca", ca, "--cert", cert, "--cert-key", key, "--nkey", other}, "Authorization Violation; the server does not accept " + other},
		"no seed":                     {[]string{"tls://" + here, "--nkey", cert}, "--nkey " + cert + ": "},
		"two identities":              {[]string{"tls://" + here, "--nkey", known, "--creds", known}, "--creds and --nkey both say who you are; give one of them"},
		"no such credentials":         {[]string{forbidden.URL(), "--creds", filepath.Join(dir, "none.creds")}, "none.creds: no such file or directory"},
		"no credentials in the file":  {[]string{forbidden.URL(), "--creds", cert}, "--creds " + cert + ": "},
		"TLS where there is none":     {[]string{"tls://127.0.0.1:" + bare.Port}, "the server has no TLS; use nats://HOST to connect without encryption"},
		"an account without streams":  {[]string{bare.URL()}, "enable JetStream for this account in the server's configuration (jetstream: enabled)"},
		"a user that may not do it":   {[]string{forbidden.URL(), "--creds", forbidden.creds["night"]}, `Permissions Violation for Publish to "$JS.API.`},
		"what such a user would need": {[]string{forbidden.URL(), "--creds", forbidden.creds["night"]}, "this NATS user needs the rights to publish and subscribe to marvin.>, $JS.API.>"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one := again(command)
			one.Args = append([]string{"marvin", "fleet", "status", "--fleet"}, test.args...)
			if stdout, stderr, code := ends(t, one); code != 1 || stdout != "" || !strings.Contains(stderr, test.want) || strings.Contains(stderr, "waiting") {
				t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
			}
		})
	}
}

// A worker that was started before the server waits for it, as in a script that starts both.
func TestFleetWaitsForItsServer(t *testing.T) {
	t.Parallel()
	server := fleettest.Start(t)
	server.Kill()
	command := batchOf(t, func(prompt string) modeltest.Step { return modeltest.Text("to " + prompt) }, prompts("1"), "--fleet", server.URL())
	f := &fleetOf{t: t, server: server, batch: command}
	w := f.worker()
	waitForFile(t, w.log, func(text string) bool { return strings.Contains(text, "does not answer") })
	server.Start()
	if stdout, stderr, code := ends(t, command); code != 0 || len(resultsIn(t, stdout)) != 1 {
		t.Errorf("exit code %d\n%s%s%s", code, stdout, stderr, w.said())
	}
}

// The permissions that docs/fleet.md and the error name are enough for a user of the server.
func TestFleetNeedsNoMorePermissions(t *testing.T) {
	t.Parallel()
	subjects := map[string]any{"allow": []string{"marvin.>", "$JS.API.>", "$JS.ACK.>", "$KV.marvin-fleet.>", "_INBOX.>"}}
	server := newOperated(t, map[string]any{"pub": subjects, "sub": subjects}, "night")
	command := batchOf(t, func(prompt string) modeltest.Step { return modeltest.Text("to " + prompt) }, prompts("1", "2"),
		"--fleet", server.URL(), "--max-cost", "1", "--creds", server.creds["night"])
	worker := exec.Command(command.Path)
	worker.Env, worker.Dir = command.Env, command.Dir
	worker.Args = []string{"marvin", "worker", "--fleet", server.URL(), "--provider", "openai-compat", "--name", "w", "--creds", server.creds["night"]}
	ended := begins(t, worker, 2*patience)
	if stdout, stderr, code := ends(t, command); code != 0 || len(resultsIn(t, stdout)) != 2 {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	for _, args := range [][]string{{"status"}, {"drain", "w"}} {
		one := again(command)
		one.Args = append(append([]string{"marvin", "fleet"}, args...), "--fleet", server.URL(), "--creds", server.creds["night"])
		if stdout, stderr, code := ends(t, one); code != 0 {
			t.Errorf("%q: exit code %d\n%s%s", args, code, stdout, stderr)
		}
	}
	if _, stderr, code := ended(); code != 0 {
		t.Errorf("the worker ended with %d\n%s", code, stderr)
	}
}
