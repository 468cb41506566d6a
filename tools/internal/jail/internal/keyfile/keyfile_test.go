package keyfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestKeyFileDetection(t *testing.T) {
	for name, want := range map[string]bool{"config": true, "environment": true, "rc": true, "x.pub": true, "known_hosts.old": true, "authorized_keys": true, "allowed_signers": true, "id_rsa": false, "config2": false, "pub": false} {
		if Public(name) != want {
			t.Errorf("%s is public: %v", name, !want)
		}
	}
	for name, want := range map[string]bool{"KEY": true, "id_rsa": true, "my-token": true, "Secrets": true, "passwd": true, "identity": true, "a.pem": true, "a.ppk": true, "a.p12": true, "a.pfx": true, "notes": false, "idea": false, "config": false} {
		if HasKeyName(name) != want {
			t.Errorf("%s names a key: %v", name, !want)
		}
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	for text, want := range map[string]bool{
		"": false, "-----BEGIN OPENSSH PRIVATE KEY-----": true, "PuTTY-User-Key-File-3: x y": true, "x PuTTY-User-Key-File-3: x": false, "AGE-SECRET-KEY-1 x": true, "# AGE-SECRET-KEY-1": false,
		strings.Repeat("x", 15): false, strings.Repeat("x", 16): true, strings.Repeat("x", 1024): true, strings.Repeat("x", 1025): false, " " + strings.Repeat("x", 16) + "\n": true, "xxxxxxxx xxxxxxxx": false, "xxxxxxxx\txxxxxxxx": false, "xxxxxxxx\nxxxxxxxx": false, "xxxxxxxx\x00xxxxxxxx": false,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if Holds(path) != want {
			t.Errorf("%.40q holds a key: %v", text, !want)
		}
		if HasWord(path, "one PRIVATE") != strings.Contains(text, "PRIVATE") {
			t.Errorf("%.40q has a word", text)
		}
	}
	if err := os.WriteFile(path, []byte("one"), 0o600); err != nil || HasWord(path, "") || !HasWord(path, "two one") || HasWord(path+"none", "one") || Holds(dir) {
		t.Errorf("words: %v", err)
	}
}
