package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"marvin/persistence/disktest"
)

// The throw-away root of one attack has three processes, all of them this test's program. The test
// starts the second one in new namespaces (mounts, processes, network, and users unless it is
// root). The second builds a root of temporary file systems, with the system's programs read-only
// in it, and starts the third there as an ordinary user. The second is the first process of its
// namespace, so everything ends with it.

const (
	person     = 1000 // the ordinary user
	personHome = "/home/person"
	inRoot     = "/redteam" // where the root has what is ours
)

// trial is the input of the second and third process.
type trial struct {
	Attack  string // the content of its file
	Name    string
	Mode    string // one of its modes
	Control bool   // run control.sh instead of Marvin
	Marvin  string // the program
	Base    string // an empty directory
	Users   bool   // a namespace of users is needed
	Files   int    // for a tree of another size than the attack says; 0 for that
}

// redteamStage is the main function of the second and the third process.
func redteamStage() {
	stage := os.Getenv("REDTEAM_STAGE")
	if stage == "" {
		return
	}
	var t trial
	err := json.NewDecoder(os.Stdin).Decode(&t) // not by the environment, which a command could search
	if err == nil && stage == "root" {
		err = t.inRoot()
	} else if err == nil {
		err = t.inside()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "redteam:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// stage returns one of the processes. It sends its results to descriptor 3.
func (t trial) stage(name, program string, results *os.File) (*exec.Cmd, error) {
	told, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	command := exec.Command(program)
	command.Env = []string{"REDTEAM_STAGE=" + name, "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + personHome}
	command.Stdin, command.Stderr, command.ExtraFiles = bytes.NewReader(told), os.Stderr, []*os.File{results}
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return command, nil
}

// namespaces sets the attributes with which the second process is started.
func (t trial) namespaces(attributes *syscall.SysProcAttr) {
	attributes.Cloneflags = syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS
	if t.Users {
		attributes.Cloneflags |= syscall.CLONE_NEWUSER
		attributes.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		attributes.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
}

// inRoot builds the root and starts the third process in it.
func (t trial) inRoot() error {
	if os.Getpid() != 1 {
		return errors.New("it is not the first process of a namespace of its own")
	}
	if err := t.build(); err != nil {
		return fmt.Errorf("build the root: %w", err)
	}
	if err := loopbackUp(); err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	command, err := t.stage("inside", inRoot+"/test", os.NewFile(3, "results"))
	if err != nil {
		return err
	}
	command.Dir = personHome
	if t.Users {
		command.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		command.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: person, HostID: 0, Size: 1}}
		command.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: person, HostID: 0, Size: 1}}
	} else {
		command.SysProcAttr.Credential = &syscall.Credential{Uid: person, Gid: person}
	}
	runtime.LockOSThread() // as long as it runs: see in
	return command.Run()
}

// build makes the root and enters it. The old root is unmounted.
func (t trial) build() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	root := filepath.Join(t.Base, "root")
	if err := fresh(root, "mode=755"); err != nil {
		return err
	}
	for _, name := range []string{"bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr", "etc"} {
		if err := showReadOnly("/"+name, filepath.Join(root, name)); err != nil {
			return err
		}
	}
	for _, dir := range []string{"proc", "var", "run", "home", "root", inRoot, "old"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			return err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return errors.Join(
		fresh(filepath.Join(root, personHome), fmt.Sprintf("mode=700,size=6g,nr_inodes=3m%s", t.owner())),
		fresh(filepath.Join(root, "tmp"), "mode=1777,size=4g"), fresh(filepath.Join(root, "var/tmp"), "mode=1777"),
		showReadOnly(self, filepath.Join(root, inRoot, "test")), showReadOnly(t.Marvin, filepath.Join(root, inRoot, "marvin")),
		devices(filepath.Join(root, "dev")),
		unix.Mount("proc", filepath.Join(root, "proc"), "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""),
		t.enter(root))
}

// owner returns the owner of the home. In a user namespace it is the user that mounts it.
func (t trial) owner() string {
	if t.Users {
		return ""
	}
	return fmt.Sprintf(",uid=%d,gid=%d", person, person)
}

func (t trial) enter(root string) error {
	if err := os.Chdir(root); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "old"); err != nil {
		return fmt.Errorf("pivot_root: %w", err)
	}
	if err := errors.Join(os.Chdir("/"), unix.Unmount("/old", unix.MNT_DETACH), os.Remove("/old")); err != nil {
		return err
	}
	a, err := parseAttack(t.Name, []byte(t.Attack))
	for at, dir := range a.Views {
		err = errors.Join(err, os.MkdirAll(at, 0o755), os.MkdirAll(dir, 0o755), os.Chown(dir, person, person), unix.Mount(dir, at, "", unix.MS_BIND, ""))
	}
	if err == nil && a.Without != "" {
		err = errors.Join(unix.Unmount(a.Without, 0), os.Remove(a.Without))
	}
	return err
}

// fresh mounts a temporary file system on a new directory.
func fresh(path, options string) error {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return err
	}
	if err := unix.Mount("redteam", path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return fmt.Errorf("tmpfs on %s: %w", path, err)
	}
	return nil
}

// showReadOnly mounts the system's directories read-only in the root. It skips missing directories,
// and keeps links as links.
func showReadOnly(from, to string) error {
	info, err := os.Lstat(from)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode()&os.ModeSymlink != 0 && info.Mode().IsRegular():
		return nil
	case info.Mode()&os.ModeSymlink != 0:
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	case info.IsDir():
		err = os.MkdirAll(to, 0o755)
	default:
		err = disktest.WriteProgram(to, nil, 0o755)
	}
	if err != nil {
		return err
	}
	if err := unix.Mount(from, to, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("bind %s: %w", from, err)
	}
	err = unix.MountSetattr(unix.AT_FDCWD, to, unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID})
	if err != nil {
		return fmt.Errorf("%s read-only: %w", to, err)
	}
	return nil
}

// devices creates the devices that every program expects, and a separate set of terminals.
func devices(dir string) error {
	if err := unix.Mkdir(dir, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			return err
		}
		if err := unix.Mount("/dev/"+name, path, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("bind /dev/%s: %w", name, err)
		}
	}
	pts := filepath.Join(dir, "pts")
	if err := os.Mkdir(pts, 0o755); err != nil {
		return err
	}
	if err := unix.Mount("devpts", pts, "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620"); err != nil {
		return fmt.Errorf("devpts: %w", err)
	}
	return errors.Join(fresh(filepath.Join(dir, "shm"), "mode=1777"), os.Symlink("pts/ptmx", filepath.Join(dir, "ptmx")),
		os.Symlink("/proc/self/fd", filepath.Join(dir, "fd")), os.Symlink("/proc/self/fd/0", filepath.Join(dir, "stdin")),
		os.Symlink("/proc/self/fd/1", filepath.Join(dir, "stdout")), os.Symlink("/proc/self/fd/2", filepath.Join(dir, "stderr")))
}

// loopbackUp starts 127.0.0.1, and an address that represents another machine. There is no other
// network.
func loopbackUp() error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, request); err != nil {
		return err
	}
	if request, err = unix.NewIfreq("lo:1"); err == nil {
		err = request.SetInet4Addr(net.ParseIP(farAway).To4())
	}
	if err != nil {
		return err
	}
	if err := unix.IoctlIfreq(socket, unix.SIOCSIFADDR, request); err != nil {
		return err
	}
	return os.WriteFile("/proc/sys/net/ipv4/ip_unprivileged_port_start", []byte("0"), 0)
}

// refuses returns an error if attacks must not be tried here. Everything must run with the rights
// of an ordinary user, in a home that disappears with the namespace.
func refuses() error {
	var system unix.Statfs_t
	if err := unix.Statfs(personHome, &system); err != nil {
		return err
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return err
	}
	_, old := os.Stat("/old")
	switch {
	case os.Getuid() == 0 || os.Geteuid() == 0:
		return errors.New("it would run as root")
	case system.Type != unix.TMPFS_MAGIC || !strings.Contains(string(mounts), " "+personHome+" ") || os.Getenv("HOME") != personHome:
		return errors.New("the home is not the throw-away one")
	case os.Getppid() != 1 || old == nil:
		return errors.New("it is not in the throw-away root")
	}
	return nil
}

// A process that is a stage is nothing else.
func init() { redteamStage() }
