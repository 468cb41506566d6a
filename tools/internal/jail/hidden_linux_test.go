package jail_test

import (
	"bufio"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"marvin/tools/internal/jail"
)

// put writes files below the home directory.
func (p *place) put(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(p.home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

const sshKey = "-----BEGIN OPENSSH PRIVATE KEY-----\ncanary\n"

// A command cannot read keys and logins by any name, but it can read the files that builds need.
func TestKeysAreHidden(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	secret := map[string]string{
		".ssh/OPENAI_API_KEY2": "canary", ".ssh/openai_api_key": "canary", ".ssh/work": sshKey, ".ssh/id_rsa": "canary", ".ssh/keys/deploy": sshKey, ".ssh/hetzner": "canary-0123456789-abcdef",
		".aws/credentials": "canary", ".config/gh/hosts.yml": "canary", ".config/gcloud/x/y": "canary", ".netrc": "canary", ".kube/config": "canary",
		".npmrc": "//registry.npmjs.org/:_authToken=canary\n", ".docker/config.json": `{"auths":{"x":{"auth":"canary"}}}`, ".gnupg/private-keys-v1.d/a.key": "canary",
		".mozilla/firefox/x/logins.json": "canary", ".password-store/x.gpg": "canary", ".git-credentials": "canary", ".config/pip/pip.conf": "index-url = https://me:canary@example.org/",
	}
	public := map[string]string{
		".ssh/known_hosts": "canary", ".ssh/config": "# canary\n", ".ssh/id_rsa.pub": "canary", ".ssh/notes": "canary is a bird\n", ".gnupg/pubring.kbx": "canary",
		".yarnrc.yml": "nodeLinker: canary\n", ".gitconfig": "canary", ".cargo/config.toml": "canary",
	}
	p.put(t, secret)
	p.put(t, public)
	for name := range secret {
		for _, inside := range []bool{true, false} {
			result := p.run(t, inside, `cat "$HOME/`+name+`" && cp "$HOME/`+name+`" copy && cat copy; rm -f copy; ln -s "$HOME/`+name+`" l && cat l; rm l`)
			if read := strings.Contains(result.Stdout.Text(), "canary"); read == inside {
				t.Errorf("%s, inside %v: %q", name, inside, result.Stdout.Text())
			}
		}
	}
	for name := range public {
		if result := p.run(t, true, `cat "$HOME/`+name+`"`); !strings.Contains(result.Stdout.Text(), "canary") {
			t.Errorf("%s is hidden", name)
		}
	}
	p.put(t, map[string]string{".ssh/later": sshKey})
	if result := p.run(t, true, `cat ~/.ssh/later`); strings.Contains(result.Stdout.Text(), "canary") {
		t.Error("a key that was added meanwhile is read")
	}
	cell, err := p.keeper.Jail(p.root)
	if err != nil {
		t.Fatal(err)
	}
	for _, named := range []string{"~/.aws", "keys in ~/.ssh (9)", "sandbox_read"} {
		if said := cell.Note(1, "fatal error: Unable to locate credentials"); !strings.Contains(said, named) {
			t.Errorf("no %s in %s", named, said)
		}
	}
}

func TestTheUserOpensWhatIsHidden(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	p.put(t, map[string]string{
		".aws/credentials": "canary", ".config/gcloud/configurations/a": "canary", ".config/gcloud/credentials.db": "canary", ".ssh/id_rsa": sshKey, ".ssh/A_KEY": "canary", ".ssh/B_KEY": "canary", ".kube/config": "canary",
		".azure/token": "canary", ".config/marvin/state": "canary",
	})
	p.keeper = jail.NewKeeper(jail.Config{
		Home: p.home, State: p.state, Environ: slices.Concat(p.environ, []string{"KUBECONFIG=" + p.home + "/.kube/config"}),
		Readable: []string{"~/.aws", "~/.config/gcloud/configurations", "~/.ssh", "~/.ssh/A_KEY", "$KUBECONFIG", "$ABSENT", p.state},
	})
	defer p.keeper.Close()
	for name, want := range map[string]bool{
		".aws/credentials": true, ".config/gcloud/configurations/a": true, ".config/gcloud/credentials.db": false, ".ssh/id_rsa": true, ".ssh/A_KEY": true, ".ssh/B_KEY": false,
		".kube/config": true, ".azure/token": false, ".config/marvin/state": false,
	} {
		if result := p.run(t, true, `cat "$HOME/`+name+`"`); strings.Contains(result.Stdout.Text(), "canary") != want {
			t.Errorf("%s: read %v", name, !want)
		}
	}
}

func TestSocketsOutsideAreNotSpokenTo(t *testing.T) {
	for _, mode := range []jail.Mode{jail.Workspace, jail.Strict} {
		base, err := os.MkdirTemp("/var/tmp", "marvin-jail-test-") // a private /tmp would hide it
		if err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { os.RemoveAll(base) })
		p := newPlaceIn(t, base, mode)
		for name, reached := range map[string]bool{"home/.rd/docker.sock": false, "home/.gnupg/S.gpg-agent": false, "home/.ssh/master": false, "pg/.s.PGSQL.5432": false, "docker.sock": false, "home/project/own.sock": true} {
			path := filepath.Join(base, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			listener, err := net.Listen("unix", path)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { listener.Close() })
			for _, inside := range []bool{true, false} {
				result := p.run(t, inside, `$SELF attack unix "$BASE/`+name+`"`)
				if out := strings.Contains(result.Stdout.Text(), "ESCAPED"); out != (reached || !inside) {
					t.Errorf("%s, %s, inside %v: reached %v %s", mode, name, inside, out, result.Stderr.Text())
				}
			}
		}
		own := p.run(t, true, `python3 -c 'import socket; s=socket.socket(socket.AF_UNIX); s.bind("/tmp/s"); s.listen(); c=socket.socket(socket.AF_UNIX); c.connect("/tmp/s"); print("fine")'`)
		if own.Stdout.Text() != "fine\n" && !strings.Contains(own.Stderr.Text(), "not found") {
			t.Errorf("a command does not speak to itself: %s", own.Stderr.Text())
		}
	}
}

// A socket that a variable names is hidden even if it belongs to another network, unless the user
// opened it.
func TestSocketsThatVariablesName(t *testing.T) {
	base, err := os.MkdirTemp("/var/tmp", "marvin-jail-test-")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	p := newPlaceIn(t, base, jail.Workspace)
	listener, err := net.Listen("unix", base+"/moved")
	if err == nil {
		err = os.Rename(base+"/moved", base+"/docker.sock") // now the kernel lists another name
	}
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	environ := slices.Concat(p.environ, []string{"DOCKER_HOST=unix://" + base + "/docker.sock"})
	for _, open := range []bool{false, true} {
		config := jail.Config{Home: p.home, State: p.state, Environ: environ}
		if open {
			config.Readable = []string{base + "/docker.sock"}
		}
		p.keeper = jail.NewKeeper(config)
		result := p.run(t, true, `$SELF attack unix "$BASE/docker.sock"`)
		if out := strings.Contains(result.Stdout.Text(), "ESCAPED"); out != open {
			t.Errorf("open %v, reached %v: %s", open, out, result.Stderr.Text())
		}
		p.keeper.Close()
	}
}

// No command connects to a socket by another name than the kernel lists: a later name, a hard link,
// or one shown by a mount.
func TestSocketsUnderAnotherNameAreNotConnectedTo(t *testing.T) {
	base, err := os.MkdirTemp("/var/tmp", "marvin-jail-test-")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	listen := func(path string) {
		listener, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { listener.Close() })
	}
	p := newPlaceIn(t, base, jail.Strict)
	for _, dir := range []string{"/daemon", "/view"} {
		if err := os.Mkdir(base+dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	listen(base + "/daemon/a")
	if err := os.Rename(base+"/daemon/a", base+"/renamed"); err != nil {
		t.Fatal(err)
	}
	listen(base + "/daemon/b")
	listen(base + "/daemon/linked")
	if err := os.Link(base+"/daemon/linked", base+"/link"); err != nil {
		t.Fatal(err)
	}
	p.put(t, map[string]string{"project/mounted": ""})
	names := []string{"renamed", "link"}
	for to, from := range map[string]string{"/view": "/daemon", "/home/project/mounted": "/daemon/b"} {
		if err := unix.Mount(base+from, base+to, "", unix.MS_BIND, ""); err != nil {
			continue // not as root
		}
		t.Cleanup(func() { _ = unix.Unmount(base+to, unix.MNT_DETACH) })
		names = append(names, map[string]string{"/view": "view/b", "/home/project/mounted": "home/project/mounted"}[to])
	}
	for round := range 2 {
		for _, name := range names {
			for _, inside := range []bool{true, false} {
				result := p.run(t, inside, `$SELF attack unix "$BASE/`+name+`"`)
				if out := strings.Contains(result.Stdout.Text(), "ESCAPED"); out == inside {
					t.Errorf("%s, inside %v: connected %v %s", name, inside, out, result.Stderr.Text())
				}
			}
		}
		if round == 0 { // one more, while Marvin runs
			listen(base + "/daemon/c")
			err := os.Rename(base+"/daemon/c", base+"/daemon/later")
			if err := errors.Join(err, os.Link(base+"/daemon/linked", base+"/daemon/again")); err != nil {
				t.Fatal(err)
			}
			names = append(names, "daemon/later", "daemon/again")
		}
	}
}

// A private directory stays hidden from commands when it is renamed.
func TestARenamedPrivateDirectoryStaysHidden(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	p.put(t, map[string]string{"taxes/income": "canary-income\n"})
	taxes, renamed := filepath.Join(p.home, "taxes"), filepath.Join(p.home, "papers")
	keeper := jail.NewKeeper(jail.Config{Mode: jail.Workspace, Home: p.home, State: p.state, Environ: p.environ, Private: []string{taxes}})
	t.Cleanup(func() { _ = keeper.Close() })
	cell, err := keeper.Jail(p.root)
	if errors.Is(err, jail.ErrMissing) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{taxes, renamed} {
		if text := p.in(t, cell, "cat < "+dir+"/income; echo ran").Stdout.Text(); text != "ran\n" {
			t.Errorf("in %s it reads %q", dir, text)
		}
		if err := os.Rename(taxes, renamed); dir == taxes && err != nil {
			t.Fatal(err)
		}
	}
}

// Each keeper searches for sockets itself: a later one may have another root, and a program in
// another network may have begun to listen.
func TestALaterKeeperFindsSocketsThatAnEarlierOneDidNot(t *testing.T) {
	first, second := newPlaceIn(t, varTemp(t), jail.Strict), newPlaceIn(t, varTemp(t), jail.Strict)
	first.root = varTemp(t) // not deep, because the search does not read all directories
	renamed, foreign := first.root+"/renamed", second.base+"/foreign"
	listener, err := net.Listen("unix", first.root+"/socket")
	if err := errors.Join(err, os.Rename(first.root+"/socket", renamed)); err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	first.run(t, true, "true")

	program := exec.Command("unshare", "--net", "python3", "-c", "import socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); print('ready', flush=True); sys.stdin.read()", foreign)
	in, err := program.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := program.StdoutPipe()
	if err := errors.Join(err, program.Start()); err != nil {
		t.Skip(err)
	}
	defer func() { _ = in.Close(); _ = program.Wait() }()
	paths := []string{renamed}
	if line, err := bufio.NewReader(out).ReadString('\n'); err == nil && line == "ready\n" { // not without root
		paths = append(paths, foreign)
	}
	for _, path := range paths {
		for _, inside := range []bool{true, false} {
			result := second.run(t, inside, `$SELF attack unix `+path)
			if out := strings.Contains(result.Stdout.Text(), "ESCAPED"); out == inside {
				t.Errorf("%s, inside %v: connected %v %s", path, inside, out, result.Stderr.Text())
			}
		}
	}
}
