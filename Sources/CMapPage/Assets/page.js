document.title = "Waymark";
