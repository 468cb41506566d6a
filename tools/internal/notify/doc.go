// Package notify shows a notification on the user's desktop.
//
// It uses org.freedesktop.Notifications on the session bus directly, because notify-send is often
// missing. If the bus fails, it uses notify-send. The environment of a program that cron starts
// does not contain the address of the bus. For such a program, the package tries the address that
// systemd gives every user.
package notify
