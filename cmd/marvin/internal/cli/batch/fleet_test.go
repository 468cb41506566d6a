package batch

import (
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/remote"
	"marvin/persistence/settings"
)

// The fleet settings of config.yaml apply if no flag replaces them. Files are relative to the home
// directory.
func TestAFleetOfTheConfiguration(t *testing.T) {
	written := settings.Fleet{URL: "nats://a", Stream: "mine", Creds: "~/c", NKey: "/n", CA: "~/a", Cert: "x", CertKey: "~/k"}
	want := remote.FleetFlags{Fleet: "nats://a", Stream: "mine", Creds: "/home/c", NKey: "/n", CA: "/home/a", Cert: "x", CertKey: "/home/k"}
	if got := (remote.FleetFlags{}).Configured(written, "/home"); got != want {
		t.Errorf("%+v", got)
	}
	flags := remote.FleetFlags{Stream: "marvin", Creds: "1", NKey: "2", CA: "3", Cert: "4", CertKey: "5"}
	want = flags
	want.Fleet = "nats://a"
	if got := flags.Configured(written, "/home"); got != want {
		t.Errorf("%+v", got)
	}
	if got := (remote.FleetFlags{NKey: "2"}).Configured(written, "/home"); got.NKey != "2" || got.Creds != "" {
		t.Errorf("the login of the configuration is added to --nkey: %+v", got)
	}
	if got := (remote.FleetFlags{Stream: "other"}).Configured(settings.Fleet{URL: "u"}, "/home"); got != (remote.FleetFlags{Fleet: "u", Stream: "other"}) {
		t.Errorf("%+v", got)
	}
	world := cli.World{Dir: "/d"}
	name := func(file, out, batch, host string) string {
		wish := Command{Output: out, Batch: batch}
		wish.Args.File = file
		return wish.batchName(world, host)
	}
	same := name("p", "o", "", "h")
	if len(same) != 12 || same != name("/d/p", "/d/x/../o", "", "h") || same == name("p", "o", "", "g") || same == name("p", "", "", "h") || same == name("q", "o", "", "h") || name("p", "o", "mine", "h") != "mine" {
		t.Errorf("%s", same)
	}
	for _, out := range []string{"", "-"} {
		if once := name("-", out, "", "h"); len(once) != 12 || once == name("-", out, "", "h") || once != strings.ToLower(once) {
			t.Errorf("prompts of a pipe are called %s", once)
		}
	}
	if name("-", "o", "", "h") != name("-", "/d/o", "", "h") {
		t.Error("results in a file are those of another batch")
	}
}

// The name of a machine is part of the name of its worker.
func TestTheNameOfAMachineInAnother(t *testing.T) {
	for host, want := range map[string]string{
		"box.example.org": "box", "AZaz09-": "AZaz09-", "a_b/c:d@e[f`g{h": "a-b-c-d-e-f-g-h", "": "", "ä": "-",
		"123456789012345678901234567890": "123456789012345678901234567890", "1234567890123456789012345678901": "123456789012345678901234567890",
	} {
		if got := cleanHost(host); got != want {
			t.Errorf("%q becomes %q, want %q", host, got, want)
		}
	}
}

// Servers decode the path of a repository and resolve its dots. So an address must be literal.
func TestFleetChecksOutBelowAnAddressOnly(t *testing.T) {
	s := &fleetWorker{from: []string{"https://host/our/", "git@host:our", "/srv/git"}}
	for address, want := range map[string]bool{
		"https://host/our/x": true, "https://host/our/x/y.git": true, "git@host:our/x": true, "/srv/git/x": true,
		"https://host/our/../evil/x": false, "https://host/our/%2e%2e/evil/x": false, "https://host/our/%2E./evil/x": false, "https://host/our/.%2e/evil": false,
		"https://host/our/%252e%252e/evil": false, "https://host/our/%2e%2e%2fevil": false, "https://host/our/..\\evil": false, "https://host/our/x?a=../evil": false,
		"https://host/our/./x": false, "https://host/our//x": false, "https://host/ours/x": false, "https://host@evil/our/x": false, "http://host/our/x": false,
		"git@host:ours/x": false, "/srv/git/../x": false, "https://host/our/x\n": false, "https://host/our/..;/x": false,
	} {
		if s.mayCheckOut(address) != want {
			t.Errorf("%q: %v", address, !want)
		}
	}
}
