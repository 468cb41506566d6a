package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nkeys"

	"marvin/cmd/marvin/internal/fleet/fleettest"
	"marvin/providers/modeltest"
)

// certificates writes a certificate for 127.0.0.1, and its key. The certificate is its own
// authority, also for clients.
func certificates(t *testing.T, dir string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "fleet"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: certificate}, "key.pem": {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A fleet uses TLS in both directions and an NKey, in the accounts of docs/fleet.md. A batch, its
// worker and the commands about it work. Another account sees nothing of it, although it uses the
// same names. A client without a key is refused.
func TestFleetBehindALock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	certificates(t, dir)
	lock := ""
	for _, block := range fenced(page(t, "docs/fleet.md"), "") {
		if strings.HasPrefix(block, "accounts:") {
			lock = block
		}
	}
	for name, placeholder := range map[string]string{"night": "UABC…", "day": "UDEF…"} {
		user, err := nkeys.CreateUser()
		if err != nil {
			t.Fatal(err)
		}
		public, _ := user.PublicKey()
		seed, _ := user.Seed()
		lock = strings.Replace(lock, placeholder, public, 1)
		if err := os.WriteFile(filepath.Join(dir, name+".nk"), seed, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	config := fmt.Sprintf("tls { cert_file: %q, key_file: %q, ca_file: %q, verify: true }\n%s", dir+"/cert.pem", dir+"/key.pem", dir+"/cert.pem", lock)
	if err := os.WriteFile(filepath.Join(dir, "nats.conf"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	server := fleettest.Start(t, "-c", dir+"/nats.conf")
	address := "tls://127.0.0.1:" + server.Port
	keys := []string{"--stream", "night", "--ca", dir + "/cert.pem", "--cert", dir + "/cert.pem", "--cert-key", dir + "/key.pem", "--nkey", dir + "/night.nk"}
	command := batchOf(t, func(prompt string) modeltest.Step { return modeltest.Text("to " + prompt) }, prompts("1", "2"), append([]string{"--fleet", address, "--max-cost", "1"}, keys...)...)
	worker := again(command)
	worker.Args = append([]string{"marvin", "worker", "--fleet", address, "--provider", "openai-compat", "--name", "w"}, keys...)
	ended := begins(t, worker, 2*patience)
	stdout, stderr, code := ends(t, command)
	if code != 0 || len(resultsIn(t, stdout)) != 2 || !strings.Contains(stdout, `"text":"to ask 1"`) {
		t.Errorf("exit code %d\n%s\n%s", code, stdout, stderr)
	}
	about := func(args ...string) (string, int) {
		one := again(command)
		one.Args = append([]string{"marvin", "fleet"}, args...)
		stdout, stderr, code := ends(t, one)
		return stdout + stderr, code
	}
	if said, code := about(append([]string{"status", "--fleet", address}, keys...)...); code != 0 || !strings.Contains(said, "w ") {
		t.Errorf("status: exit code %d\n%s", code, said)
	}
	if said, code := about(append([]string{"status", "--fleet", address}, append(keys[:len(keys)-1:len(keys)-1], dir+"/day.nk")...)...); code != 0 || strings.Contains(said, "w ") || strings.Contains(said, "prompts.jsonl") {
		t.Errorf("another account: exit code %d\n%s", code, said)
	}
	if said, code := about("status", "--fleet", address, "--stream", "night", "--ca", dir+"/cert.pem", "--cert", dir+"/cert.pem", "--cert-key", dir+"/key.pem"); code == 0 || !strings.Contains(said, "Authorization Violation") {
		t.Errorf("without a key: exit code %d\n%s", code, said)
	}
	if said, code := about(append([]string{"drain", "w", "--fleet", address}, keys...)...); code != 0 {
		t.Errorf("drain: exit code %d\n%s", code, said)
	}
	if _, stderr, code := ended(); code != 0 {
		t.Errorf("the worker ended with %d\n%s", code, stderr)
	}
}
